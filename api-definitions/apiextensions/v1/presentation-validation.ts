import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { duplicateField, invalidField, requiredField, tooManyField } from "../../../runtime/lib/field-errors.ts";
import type {
  CustomResourceColumnDefinition,
  CustomResourceSubresources,
  SelectableField,
} from "./custom-resource-definition.ts";
import type { JSONSchemaProps } from "./json-schema.ts";

const COLUMN_TYPES = ["boolean", "date", "integer", "number", "string"];
const COLUMN_FORMATS = ["byte", "date", "date-time", "double", "float", "int32", "int64", "password"];
const MAX_SELECTABLE = 8;

/** Columns of tables. */
export function validateColumns(
  columns: readonly CustomResourceColumnDefinition[],
  path: string,
  errors: FieldError[],
): void {
  for (const [index, { name = "", type = "", format = "", jsonPath = "" }] of columns.entries()) {
    const at = `${path}[${index}]`;
    if (name === "") errors.push(requiredField(`${at}.name`));
    const types = `must be one of ${COLUMN_TYPES.join(",")}`;
    if (type === "") errors.push(requiredField(`${at}.type`, types));
    else if (!COLUMN_TYPES.includes(type)) errors.push(invalidField(`${at}.type`, type, types));
    if (format !== "" && !COLUMN_FORMATS.includes(format)) {
      errors.push(invalidField(`${at}.format`, format, `must be one of ${COLUMN_FORMATS.join(",")}`));
    }
    if (jsonPath === "") errors.push(requiredField(`${at}.JSONPath`));
    else validateSimplePath(jsonPath, `${at}.JSONPath`, errors);
  }
}

export function validateSubresources(
  subresources: CustomResourceSubresources | undefined,
  path: string,
  errors: FieldError[],
): void {
  const scale = subresources?.scale;
  if (scale === undefined) return;
  for (const [name, root] of [
    ["specReplicasPath", ".spec"],
    ["statusReplicasPath", ".status"],
  ] as const) {
    const field = `${path}.scale.${name}`;
    const text = scale[name] ?? "";
    if (text === "") errors.push(requiredField(field));
    else if (validateSimplePath(text, field, errors) && !text.startsWith(`${root}.`)) {
      errors.push(invalidField(field, text, `should be a json path under ${root}`));
    }
  }
  const { labelSelectorPath: selector = "" } = scale;
  const field = `${path}.scale.labelSelectorPath`;
  if (selector === "" || !validateSimplePath(selector, field, errors)) return;
  if (!/^\.(spec|status)\./.test(selector)) {
    errors.push(invalidField(field, selector, "should be a json path under either .spec or .status"));
  }
}

/** Fields that lists can be narrowed down by. */
export function validateSelectableFields(
  fields: readonly SelectableField[],
  schema: JSONSchemaProps | undefined,
  path: string,
  errors: FieldError[],
): void {
  const seen = new Set<string>();
  for (const [index, { jsonPath = "" }] of fields.entries()) {
    const field = `${path}[${index}].jsonPath`;
    if (jsonPath === "") {
      errors.push(requiredField(field));
      continue;
    }
    const found = resolve(jsonPath, schema);
    if (typeof found === "string") {
      errors.push(invalidField(field, jsonPath, `is an invalid path: ${found}`));
      continue;
    }
    if (/^\.metadata(\.|$)/.test(jsonPath)) {
      errors.push(invalidField(field, jsonPath, "must not point to fields in metadata"));
    }
    if (!["string", "boolean", "integer"].includes(found.type ?? "")) {
      const detail =
        "must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.";
      errors.push(invalidField(field, jsonPath, detail));
    }
    if (seen.has(jsonPath)) errors.push(duplicateField(field, jsonPath));
    seen.add(jsonPath);
  }
  if (seen.size > MAX_SELECTABLE) errors.push(tooManyField(path, seen.size, MAX_SELECTABLE));
}

/** The schema a path leads to, or why it leads nowhere. */
function resolve(path: string, schema: JSONSchemaProps | undefined): JSONSchemaProps | string {
  if (!path.startsWith(".")) return `expected [ or . but got: ${path}`;
  let current = schema;
  for (const part of path.slice(1).split(".")) {
    const next = current?.properties?.[part];
    if (next === undefined) return `does not refer to a valid field`;
    current = next;
  }
  return current ?? "does not refer to a valid field";
}

/** Answers whether it is one. */
function validateSimplePath(path: string, field: string, errors: FieldError[]): boolean {
  if (path.startsWith(".")) return true;
  errors.push(invalidField(field, path, "must be a simple json path starting with ."));
  return false;
}
