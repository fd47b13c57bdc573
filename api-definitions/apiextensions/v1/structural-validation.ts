import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { equalJson } from "../../../runtime/lib/equal-json.ts";
import { forbiddenField, invalidField, requiredField } from "../../../runtime/lib/field-errors.ts";
import type { JSONSchemaProps } from "./json-schema.ts";
import { additionalOf, itemsOf } from "./schema-walk.ts";

type Level = "root" | "item" | "field";

const INT_OR_STRING = [{ type: "integer" }, { type: "string" }];
const EMPTY_TYPE: Readonly<Record<Level, string>> = {
  root: "must not be empty at the root",
  item: "must not be empty for specified array items",
  field: "must not be empty for specified object fields",
};
/** What only the outer schema may say; conditions inside it say what holds, not what there is. */
const OUTER_ONLY: readonly [keyof JSONSchemaProps & string, string][] = [
  ["type", "must be empty to be structural"],
  ["additionalProperties", "must be undefined to be structural"],
  ["default", "must be undefined to be structural"],
  ["title", "must be empty to be structural"],
  ["description", "must be empty to be structural"],
  ["nullable", "must be false to be structural"],
  ["x-kubernetes-preserve-unknown-fields", "must be false to be structural"],
  ["x-kubernetes-embedded-resource", "must be false to be structural"],
  ["x-kubernetes-int-or-string", "must be false to be structural"],
  ["x-kubernetes-list-map-keys", "must be empty to be structural"],
  ["x-kubernetes-list-type", "must be undefined to be structural"],
  ["x-kubernetes-map-type", "must be undefined to be structural"],
  ["x-kubernetes-validations", "must be empty to be structural"],
];

/** What keeps a schema from being structural, sorted as Kubernetes sorts it. */
export function structuralProblems(schema: JSONSchemaProps, path: string): FieldError[] {
  const errors: FieldError[] = [];
  validateInvariants(schema, "root", path, errors);
  validateCompleteness(schema, schema, path, path, errors);
  const text = ({ field, message }: FieldError) => `${field}: ${message}`;
  return errors.sort((a, b) => (text(a) < text(b) ? -1 : text(a) > text(b) ? 1 : 0));
}

function validateInvariants(schema: JSONSchemaProps, level: Level, path: string, errors: FieldError[]): void {
  const items = itemsOf(schema);
  if (schema.type === "array" && schema.items === undefined) {
    errors.push(requiredField(`${path}.items`, "must be specified"));
  }
  if (items !== undefined) validateInvariants(items, "item", `${path}.items`, errors);
  for (const [name, child] of Object.entries(schema.properties ?? {})) {
    validateInvariants(child, "field", `${path}.properties[${name}]`, errors);
  }
  const additional = additionalOf(schema);
  if (schema.additionalProperties !== undefined && level === "root") {
    errors.push(forbiddenField(`${path}.additionalProperties`, "must not be used at the root"));
  }
  if (additional !== undefined) validateInvariants(additional, "field", `${path}.additionalProperties`, errors);
  validateExtensions(schema, path, errors);
  validateConditions(schema, isIntOrString(schema.anyOf), isIntOrString(schema.allOf?.[0]?.anyOf), path, errors);
  validateType(schema, level, path, errors);
  validateResourceFields(schema, level, path, errors);
}

function isIntOrString(schemas: readonly JSONSchemaProps[] | undefined): boolean {
  return equalJson(schemas, INT_OR_STRING);
}

function validateExtensions(schema: JSONSchemaProps, path: string, errors: FieldError[]): void {
  if (schema["x-kubernetes-int-or-string"] !== true) return;
  for (const name of ["x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource"] as const) {
    if (schema[name] !== true) continue;
    errors.push(invalidField(`${path}.${name}`, true, "must be false if x-kubernetes-int-or-string is true"));
  }
}

function validateType(schema: JSONSchemaProps, level: Level, path: string, errors: FieldError[]): void {
  const { type = "" } = schema;
  const isEmbedded = schema["x-kubernetes-embedded-resource"] === true;
  if (isEmbedded && type !== "object") {
    const detail = "must be object if x-kubernetes-embedded-resource is true";
    errors.push(type === "" ? requiredField(`${path}.type`, detail) : invalidField(`${path}.type`, type, detail));
  } else if (
    type === "" &&
    schema["x-kubernetes-int-or-string"] !== true &&
    schema["x-kubernetes-preserve-unknown-fields"] !== true
  ) {
    errors.push(requiredField(`${path}.type`, EMPTY_TYPE[level]));
  }
  if (isEmbedded && schema.additionalProperties !== undefined) {
    const detail = "must not be used if x-kubernetes-embedded-resource is set";
    errors.push(forbiddenField(`${path}.additionalProperties`, detail));
  }
  if (level === "root" && type !== "" && type !== "object") {
    errors.push(invalidField(`${path}.type`, type, "must be object at the root"));
  }
}

/** Fields that every object has are what they are. */
function validateResourceFields(schema: JSONSchemaProps, level: Level, path: string, errors: FieldError[]): void {
  const isEmbedded = schema["x-kubernetes-embedded-resource"] === true;
  const isResource = level === "root" || isEmbedded;
  const properties = schema.properties ?? {};
  for (const name of isResource ? ["kind", "apiVersion"] : []) {
    const property = properties[name];
    if (property !== undefined && property.type !== "string") {
      errors.push(invalidField(`${path}.properties[${name}].type`, property.type ?? "", "must be string"));
    }
  }
  const { metadata } = properties;
  if (metadata !== undefined) validateMetadata(metadata, isResource, level, `${path}.properties[metadata]`, errors);
  if (isEmbedded && schema["x-kubernetes-preserve-unknown-fields"] !== true && Object.keys(properties).length === 0) {
    const detail =
      "must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields";
    errors.push(requiredField(`${path}.properties`, detail));
  }
}

function validateMetadata(
  metadata: JSONSchemaProps,
  isResource: boolean,
  level: Level,
  path: string,
  errors: FieldError[],
): void {
  if (isResource && metadata.type !== "object") {
    errors.push(invalidField(`${path}.type`, metadata.type ?? "", "must be object"));
  }
  if (level !== "root") return;
  const { type: _type, default: _default, properties = {}, ...rest } = metadata;
  const isNames = Object.keys(properties).every((name) => name === "name" || name === "generateName");
  if (!isNames || Object.keys(rest).length > 0) {
    const detail = "must not specify anything other than name and generateName, but metadata is implicitly specified";
    errors.push(forbiddenField(path, detail));
  }
}

function validateConditions(
  schema: JSONSchemaProps,
  skipsAnyOf: boolean,
  skipsFirstAllOf: boolean,
  path: string,
  errors: FieldError[],
): void {
  for (const [index, child] of (skipsAnyOf ? [] : (schema.anyOf ?? [])).entries()) {
    validateCondition(child, false, `${path}.anyOf[${index}]`, errors);
  }
  for (const [index, child] of (schema.allOf ?? []).entries()) {
    validateCondition(child, skipsFirstAllOf && index === 0, `${path}.allOf[${index}]`, errors);
  }
  for (const [index, child] of (schema.oneOf ?? []).entries()) {
    validateCondition(child, false, `${path}.oneOf[${index}]`, errors);
  }
  if (schema.not !== undefined) validateCondition(schema.not, false, `${path}.not`, errors);
}

function validateCondition(schema: JSONSchemaProps, skipsAnyOf: boolean, path: string, errors: FieldError[]): void {
  validateConditions(schema, skipsAnyOf, false, path, errors);
  const items = itemsOf(schema);
  if (items !== undefined) validateCondition(items, false, `${path}.items`, errors);
  for (const [name, child] of Object.entries(schema.properties ?? {})) {
    validateCondition(child, false, `${path}.properties[${name}]`, errors);
  }
  for (const [name, detail] of OUTER_ONLY) {
    const value: unknown = schema[name];
    const isSet =
      value !== undefined && value !== "" && value !== false && !(Array.isArray(value) && value.length === 0);
    if (isSet || (name === "additionalProperties" && value === false)) {
      errors.push(forbiddenField(`${path}.${name}`, detail));
    }
  }
  if (schema.properties?.metadata !== undefined) {
    const detail = "must not be specified in a nested context";
    errors.push(forbiddenField(`${path}.properties[metadata]`, detail));
  }
}

/** What conditions speak of must be there in the outer schema. */
function validateCompleteness(
  condition: JSONSchemaProps,
  schema: JSONSchemaProps | undefined,
  schemaPath: string,
  path: string,
  errors: FieldError[],
): void {
  const nested: [string, JSONSchemaProps][] = [];
  if (condition.not !== undefined) nested.push([`${path}.not`, condition.not]);
  for (const part of ["allOf", "anyOf", "oneOf"] as const) {
    for (const [index, child] of (condition[part] ?? []).entries()) nested.push([`${path}.${part}[${index}]`, child]);
  }
  for (const [at, child] of nested) validateNestedCompleteness(child, schema, schemaPath, at, errors);
}

function validateNestedCompleteness(
  condition: JSONSchemaProps,
  schema: JSONSchemaProps | undefined,
  schemaPath: string,
  path: string,
  errors: FieldError[],
): void {
  if (schema === undefined) {
    errors.push(requiredField(schemaPath, `because it is defined in ${path}`));
    return;
  }
  validateCompleteness(condition, schema, schemaPath, path, errors);
  const items = itemsOf(condition);
  if (items !== undefined) {
    validateNestedCompleteness(items, itemsOf(schema), `${schemaPath}.items`, `${path}.items`, errors);
  }
  for (const [name, child] of Object.entries(condition.properties ?? {})) {
    const step = `properties[${name}]`;
    const own = schema.properties?.[name];
    validateNestedCompleteness(child, own, `${schemaPath}.${step}`, `${path}.${step}`, errors);
  }
}
