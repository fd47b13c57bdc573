import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { forbiddenField, invalidField, requiredField, unsupportedField } from "../../../runtime/lib/field-errors.ts";
import { goTexts, shown } from "../../../runtime/lib/go-literal.ts";
import type { JSONSchemaProps } from "./json-schema.ts";
import { itemsOf } from "./schema-walk.ts";

const LIST_TYPES = ["atomic", "set", "map"];

/** How a list is merged: as a whole, as a set, or as a map by the keys of its items. */
export function validateListTopology(schema: JSONSchemaProps, path: string, errors: FieldError[]): void {
  const listType = schema["x-kubernetes-list-type"];
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  const field = `${path}.x-kubernetes-list-type`;
  const { type = "" } = schema;
  if (listType !== undefined && type !== "array") {
    const detail = "must be array if x-kubernetes-list-type is specified";
    errors.push(type === "" ? requiredField(`${path}.type`, detail) : invalidField(`${path}.type`, type, detail));
  } else if (listType === "set") {
    validateSetItems(itemsOf(schema), `${path}.items`, errors);
  }
  if (listType !== undefined && !LIST_TYPES.includes(listType)) {
    errors.push(unsupportedField(field, listType, LIST_TYPES));
  }
  if (keys.length > 0 && listType !== "map") {
    const detail = "must be map if x-kubernetes-list-map-keys is non-empty";
    errors.push(listType === undefined ? requiredField(field, detail) : invalidField(field, listType, detail));
  }
  if (listType === "map") validateMapItems(schema, keys, path, errors);
  if (listType === "set" || listType === "map") validateKeyProperties(schema, keys, listType, path, errors);
}

/** Entries of a set are told apart as a whole. */
function validateSetItems(items: JSONSchemaProps | undefined, path: string, errors: FieldError[]): void {
  const listType = items?.["x-kubernetes-list-type"];
  const detail = "must be atomic as item of a list with x-kubernetes-list-type=set";
  if (items?.type === "array" && listType !== undefined && listType !== "atomic") {
    errors.push(invalidField(`${path}.x-kubernetes-list-type`, listType, detail));
  }
  if (items?.type === "object" && items["x-kubernetes-map-type"] !== "atomic") {
    errors.push(invalidField(`${path}.x-kubernetes-map-type`, listType, detail));
  }
}

function validateMapItems(schema: JSONSchemaProps, keys: readonly string[], path: string, errors: FieldError[]): void {
  const items = itemsOf(schema);
  if (keys.length === 0) {
    const detail = "must not be empty if x-kubernetes-list-type is map";
    errors.push(requiredField(`${path}.x-kubernetes-list-map-keys`, detail));
  }
  if (schema.items === undefined) {
    errors.push(requiredField(`${path}.items`, "must have a schema if x-kubernetes-list-type is map"));
    return;
  }
  if (items === undefined) {
    const detail = "must only have a single schema if x-kubernetes-list-type is map";
    errors.push(invalidField(`${path}.items`, schema.items, detail));
    return;
  }
  if (items.type !== "object") {
    const detail = "must be object if parent array's x-kubernetes-list-type is map";
    errors.push(invalidField(`${path}.items.type`, items.type ?? "", detail));
    return;
  }
  const refuseKeys = (detail: string) =>
    errors.push(invalidField(`${path}.x-kubernetes-list-map-keys`, shown(goTexts(keys)), detail));
  for (const [index, key] of keys.entries()) {
    const property = items.properties?.[key];
    if (property === undefined) refuseKeys("entries must all be names of item properties");
    else if (property.type === "array" || property.type === "object") {
      const detail = "must be a scalar type if parent array's x-kubernetes-list-type is map";
      errors.push(invalidField(`${path}.items.properties[${key}].type`, items.type, detail));
    }
    if (keys.indexOf(key) < index) refuseKeys("must not contain duplicate entries");
  }
}

/** What tells entries apart is always there. */
function validateKeyProperties(
  schema: JSONSchemaProps,
  keys: readonly string[],
  listType: string,
  path: string,
  errors: FieldError[],
): void {
  const items = itemsOf(schema);
  if (items?.nullable === true) {
    const detail = `cannot be nullable when x-kubernetes-list-type is ${listType}`;
    errors.push(forbiddenField(`${path}.items.nullable`, detail));
  }
  for (const key of listType === "map" ? keys : []) {
    const property = items?.properties?.[key];
    if (property === undefined) continue;
    const at = `${path}.items.properties[${key}]`;
    const reason = "this property is in x-kubernetes-list-map-keys, so it";
    if (!items?.required?.includes(key) && property.default === undefined) {
      errors.push(requiredField(`${at}.default`, `${reason} must have a default or be a required property`));
    }
    if (property.nullable === true) errors.push(forbiddenField(`${at}.nullable`, `${reason} cannot be nullable`));
  }
}
