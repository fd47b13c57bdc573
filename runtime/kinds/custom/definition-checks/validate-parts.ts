import { resolveFieldPath } from "../../../cel/rules/field-path.ts";
import { fromStructuralSchema } from "../../../cel/schema/structural-schema.ts";
import type { FieldError } from "../../../contract/field-error.ts";
import { duplicateField, invalidField, requiredField, tooManyField } from "../../../values/field-errors.ts";
import type { DefinitionVersion, PrinterColumn } from "../definition/custom-definition.ts";
import type { CustomSchema } from "../schema/structural-schema.ts";

const WARNING_LIMIT = 256;
const SELECTABLE_LIMIT = 8;
const COLUMN_TYPES = ["boolean", "date", "integer", "number", "string"];
const COLUMN_FORMATS = ["byte", "date", "date-time", "double", "float", "int32", "int64", "password"];

export function validateDeprecation(
  { deprecated, deprecationWarning: text }: DefinitionVersion,
  path: string,
): FieldError[] {
  if (text === undefined) return [];
  const problems: string[] = [];
  if (deprecated !== true) problems.push("can only be set for deprecated versions");
  else {
    if (Buffer.byteLength(text) > WARNING_LIMIT) problems.push(`must be <= ${WARNING_LIMIT} characters long`);
    if (text === "") problems.push("must not be an empty string");
    const before = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.exec(text)?.index;
    if (before !== undefined) {
      const index = Buffer.byteLength(text.slice(0, before));
      problems.push(`must only contain printable UTF-8 characters; non-printable character found at index ${index}`);
    }
  }
  return problems.map((problem) => invalidField(`${path}.deprecationWarning`, text, problem));
}

export function validateSubresources(
  { scale }: NonNullable<DefinitionVersion["subresources"]>,
  path: string,
): FieldError[] {
  if (scale === undefined) return [];
  const { specReplicasPath, statusReplicasPath, labelSelectorPath = "" } = scale;
  return [
    ...replicasPath(`${path}.scale.specReplicasPath`, specReplicasPath, ".spec"),
    ...replicasPath(`${path}.scale.statusReplicasPath`, statusReplicasPath, ".status"),
    ...(labelSelectorPath === "" ? [] : selectorPath(`${path}.scale.labelSelectorPath`, labelSelectorPath)),
  ];
}

function replicasPath(path: string, value: string, below: string): FieldError[] {
  if (value === "") return [requiredField(path)];
  const errors = simplePath(path, value);
  if (errors.length > 0 || value.startsWith(`${below}.`)) return errors;
  return [invalidField(path, value, `should be a json path under ${below}`)];
}

function selectorPath(path: string, value: string): FieldError[] {
  const errors = simplePath(path, value);
  if (errors.length > 0 || /^\.(?:spec|status)\./.test(value)) return errors;
  return [invalidField(path, value, "should be a json path under either .spec or .status")];
}

function simplePath(path: string, value: string): FieldError[] {
  return value.startsWith(".") ? [] : [invalidField(path, value, "must be a simple json path starting with .")];
}

export function validateColumn({ name, type, format = "", jsonPath }: PrinterColumn, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const types = `must be one of ${COLUMN_TYPES.join(",")}`;
  if (name === "") errors.push(requiredField(`${path}.name`));
  if (type === "") errors.push(requiredField(`${path}.type`, types));
  else if (!COLUMN_TYPES.includes(type)) errors.push(invalidField(`${path}.type`, type, types));
  if (format !== "" && !COLUMN_FORMATS.includes(format))
    errors.push(invalidField(`${path}.format`, format, `must be one of ${COLUMN_FORMATS.join(",")}`));
  if (jsonPath === "") errors.push(requiredField(`${path}.JSONPath`));
  else errors.push(...simplePath(`${path}.JSONPath`, jsonPath));
  return errors;
}

/** Requires selectable fields to be declared and scalar, and limits their number. */
export function validateSelectableFields(
  fields: readonly { readonly jsonPath: string }[],
  schema: CustomSchema | undefined,
  vendor: string,
  path: string,
): FieldError[] {
  if (schema === undefined && fields.length > 0) {
    const wanted = path.startsWith("spec.versions")
      ? "version.schema.openAPIV3Schema is not included"
      : "validations.schema is included";
    return [invalidField(path, "", `selectableFields may only be set when ${wanted}`)];
  }
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  const root = fromStructuralSchema(withTypes({ ...schema, type: "object" }), vendor);
  fields.forEach(({ jsonPath }, index) => {
    const at = `${path}[${index}].jsonPath`;
    const found = jsonPath === "" ? undefined : resolveFieldPath(jsonPath, root, false);
    if (found === undefined) errors.push(requiredField(at));
    else if ("problem" in found) errors.push(invalidField(at, jsonPath, `is an invalid path: ${found.problem}`));
    else {
      if (/^metadata(?:[.[]|$)/.test(found.path))
        errors.push(invalidField(at, jsonPath, "must not point to fields in metadata"));
      if (!["string", "boolean", "integer"].includes(found.schema.kind))
        errors.push(invalidField(at, jsonPath, NOT_SELECTABLE));
      if (seen.has(found.path)) errors.push(duplicateField(at, jsonPath));
      seen.add(found.path);
    }
  });
  if (seen.size > SELECTABLE_LIMIT) errors.push(tooManyField(path, seen.size, SELECTABLE_LIMIT));
  return errors;
}

/** Adds the type `object` to schemas that have properties but no type. The missing type is reported elsewhere. */
function withTypes(schema: CustomSchema): CustomSchema {
  if (schema.properties === undefined) return schema;
  const properties = Object.entries(schema.properties).map(([name, property]) => [name, withTypes(property)]);
  return { ...schema, type: schema.type || "object", properties: Object.fromEntries(properties) };
}

const NOT_SELECTABLE =
  "must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.";
