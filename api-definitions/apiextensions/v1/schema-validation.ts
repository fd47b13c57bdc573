import { newExpressionsVersion } from "../../../runtime/cel/cel.ts";
import { checkStructuralRules } from "../../../runtime/cel/rules/check-structural-rules.ts";
import type { StructuralSchema } from "../../../runtime/cel/schema/structural-schema.ts";
import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { forbiddenField, invalidField, requiredField, unsupportedField } from "../../../runtime/lib/field-errors.ts";
import { release } from "../../release.ts";
import type { JSONSchemaProps } from "./json-schema.ts";
import { validateListTopology } from "./list-topology-validation.ts";
import { additionalOf, listedItems, schemasBelow } from "./schema-walk.ts";
import { structuralProblems } from "./structural-validation.ts";

const TYPES = ["array", "boolean", "integer", "number", "object", "string"];
const META_FIELDS = ["metadata", "kind", "apiVersion"];
/** What the schema of a kind with a status of its own may say at its root. */
const ROOT_FIELDS =
  "Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields XValidations".split(
    " ",
  );
const UNSUPPORTED = ["id", "additionalItems", "patternProperties", "definitions", "dependencies", "$ref"] as const;

/** `stored` are expressions that were accepted before. */
export function validateSchema(
  schema: JSONSchemaProps,
  hasStatus: boolean,
  stored: ReadonlySet<string>,
  path: string,
  errors: FieldError[],
): void {
  if (hasStatus) validateRoot(schema, path, errors);
  if (schema.nullable === true) {
    errors.push(forbiddenField(`${path}.nullable`, "nullable cannot be true at the root"));
  }
  const structural = structuralProblems(schema, path);
  errors.push(...structural);
  validateBelow(schema, { isRoot: true, insideMeta: false }, path, errors);
  if (structural.length > 0) return;
  const { vendor } = release;
  const version = newExpressionsVersion(release.release as `1.${number}`);
  errors.push(...checkStructuralRules(schema as StructuralSchema, { vendor, path, version, stored }));
}

/** Where a schema stands, as far as it matters for what it may say. */
interface Place {
  readonly isRoot: boolean;
  readonly insideMeta: boolean;
  /** Why there must be no defaults here. */
  readonly noDefaults?: string;
}

function validateRoot(schema: JSONSchemaProps, path: string, errors: FieldError[]): void {
  for (const [name, value] of Object.entries(schema)) {
    if (value === undefined || value === false || value === "") continue;
    if (name === "type") {
      if (value === "object") continue;
      const detail =
        'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
      errors.push(invalidField(`${path}.type`, value, detail));
      return;
    }
    if (!ROOT_FIELDS.includes(goName(name))) {
      const detail = `only [${ROOT_FIELDS.join(" ")}] fields are allowed at the root of the schema if the status subresource is enabled`;
      errors.push(invalidField(path, schema, detail));
      return;
    }
  }
}

/** `x-kubernetes-list-type` is `XListType`, `maxItems` is `MaxItems`. */
function goName(name: string): string {
  return name
    .replace(/^x-kubernetes-/, "X-")
    .replace(/(?:^|-)([a-z])/g, (_match, letter: string) => letter.toUpperCase())
    .replace(/-/g, "");
}

function validateBelow(schema: JSONSchemaProps, place: Place, path: string, errors: FieldError[]): void {
  validateSupported(schema, place, path, errors);
  if (schema.uniqueItems === true) {
    const detail = "uniqueItems cannot be set to true since the runtime complexity becomes quadratic";
    errors.push(forbiddenField(`${path}.uniqueItems`, detail));
  }
  const additional: unknown = schema.additionalProperties;
  if (additional !== undefined && additional !== true && Object.keys(schema.properties ?? {}).length > 0) {
    const detail = "additionalProperties and properties are mutual exclusive";
    errors.push(forbiddenField(`${path}.additionalProperties`, detail));
  }
  for (const [step, child] of schemasBelow(schema)) {
    validateBelow(child, placeBelow(schema, place, step, child), `${path}.${step}`, errors);
  }
  validateMapType(schema, path, errors);
  validateListTopology(schema, path, errors);
}

function placeBelow(schema: JSONSchemaProps, place: Place, step: string, child: JSONSchemaProps): Place {
  const below = { ...place, isRoot: false };
  if (child === additionalOf(schema) && step === "additionalProperties" && place.insideMeta) {
    return { ...below, noDefaults: "inside additionalProperties applying to object metadata" };
  }
  const property = /^properties\[(.*)\]$/s.exec(step)?.[1];
  const isResource = place.isRoot || schema["x-kubernetes-embedded-resource"] === true;
  if (property === undefined || !isResource || !META_FIELDS.includes(property)) return below;
  return { ...below, insideMeta: true, ...(place.isRoot && { noDefaults: `in top-level ${property}` }) };
}

function validateSupported(schema: JSONSchemaProps, place: Place, path: string, errors: FieldError[]): void {
  const { type = "" } = schema;
  if (type !== "" && !TYPES.includes(type)) errors.push(unsupportedField(`${path}.type`, type, TYPES));
  if (schema.default !== undefined && place.noDefaults !== undefined) {
    errors.push(forbiddenField(`${path}.default`, `must not be set ${place.noDefaults}`));
  }
  for (const name of UNSUPPORTED) {
    const value: unknown = schema[name];
    const isSet = value !== undefined && value !== "" && !(isMap(value) && Object.keys(value).length === 0);
    if (isSet) errors.push(forbiddenField(`${path}.${name}`, `${name} is not supported`));
  }
  if (type === "null") {
    errors.push(forbiddenField(`${path}.type`, "type cannot be set to null, use nullable as an alternative"));
  }
  if (listedItems(schema).length > 0) {
    errors.push(forbiddenField(`${path}.items`, "items must be a schema object and not an array"));
  }
  if (place.insideMeta && schema["x-kubernetes-embedded-resource"] === true) {
    errors.push(forbiddenField(`${path}.x-kubernetes-embedded-resource`, "must not be used inside of resource meta"));
  }
  if (schema["x-kubernetes-preserve-unknown-fields"] === false) {
    const field = `${path}.x-kubernetes-preserve-unknown-fields`;
    errors.push(invalidField(field, false, "must be true or undefined"));
  }
}

function isMap(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function validateMapType(schema: JSONSchemaProps, path: string, errors: FieldError[]): void {
  const mapType = schema["x-kubernetes-map-type"];
  if (mapType === undefined) return;
  const { type = "" } = schema;
  const detail = "must be object if x-kubernetes-map-type is specified";
  if (type === "") errors.push(requiredField(`${path}.type`, detail));
  else if (type !== "object") errors.push(invalidField(`${path}.type`, type, detail));
  const choices = ["atomic", "granular"];
  if (!choices.includes(mapType)) {
    errors.push(unsupportedField(`${path}.x-kubernetes-map-type`, mapType, choices));
  }
}
