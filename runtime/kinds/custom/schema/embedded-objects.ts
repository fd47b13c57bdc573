import type { FieldError } from "../../../contract/field-error.ts";
import { DecodeError } from "../../../schema/schema-errors.ts";
import { shownAs } from "../../../schema/shown-as.ts";
import { type MetadataReader, unreadableMetadata } from "../../../schema/validate-embedded.ts";
import { invalidField } from "../../../values/field-errors.ts";
import { createContainsSchema } from "./contains-schema.ts";
import {
  type CustomSchema,
  type Draft,
  extensionsOf,
  isDraft,
  propertySchema,
  valueSchema,
} from "./structural-schema.ts";

/** Independent of the vendor name. */
const containsEmbedded = createContainsSchema((schema) =>
  Object.keys(schema).some((name) => name.endsWith("-embedded-resource")),
);

/** Visits every embedded resource of a value, outermost first. */
export function visitEmbedded(
  value: unknown,
  schema: CustomSchema | undefined,
  vendor: string,
  visit: (resource: Draft, path: string) => void,
  path = "",
): void {
  if (schema === undefined || !containsEmbedded(schema)) return;
  if (Array.isArray(value)) {
    value.forEach((item, index) => visitEmbedded(item, schema.items, vendor, visit, `${path}[${index}]`));
    return;
  }
  if (!isDraft(value)) return;
  if (extensionsOf(schema, vendor).isEmbedded) visit(value, path);
  for (const key of Object.keys(value)) {
    const declared = propertySchema(schema, key);
    const at = declared === undefined ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`;
    visitEmbedded(value[key], declared ?? valueSchema(schema), vendor, visit, at);
  }
}

/** Decodes type and metadata of an embedded resource, in place. Throws `DecodeError`. */
export function coerceEmbedded(resource: Draft, path: string, read: MetadataReader, unknown: string[]): void {
  for (const key of ["apiVersion", "kind"]) {
    const value = resource[key];
    if (value !== undefined && typeof value !== "string")
      throw refusal(invalidField(`${path}.${key}`, shownAs(value), "must be a string"));
  }
  const unreadable = unreadableMetadata(resource, path, (...given) => (resource.metadata = read(...given)), unknown);
  if (unreadable !== undefined) throw refusal(unreadable);
}

function refusal({ field, message }: FieldError): DecodeError {
  return new DecodeError(`${field}: ${message}`);
}
