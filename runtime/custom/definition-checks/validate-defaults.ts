import type { FieldError } from "../../contract/field-error.ts";
import { cloneJson } from "../../lib/clone-json.ts";
import { equalJson } from "../../lib/equal-json.ts";
import { invalidField, Verbatim } from "../../lib/field-errors.ts";
import { goSyntax } from "../../lib/go-format.ts";
import type { JsonValue } from "../../lib/json-object.ts";
import { validateEmbedded, visitEmbedded } from "../schema/embedded-objects.ts";
import { prune } from "../schema/prune.ts";
import { type CustomSchema, isDraft, valueSchema } from "../schema/structural-schema.ts";
import { SchemaValidator } from "../validation/validate-schema.ts";

/** Refuses defaults that the schema they stand in would refuse. */
export function validateDefaults(schema: CustomSchema, vendor: string, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const value = schema.default;
  if (value !== undefined && value !== null) errors.push(...validateDefault(value, schema, vendor, `${path}.default`));
  const { items, properties = {} } = schema;
  if (items !== undefined) errors.push(...validateDefaults(items, vendor, `${path}.items`));
  for (const [name, property] of Object.entries(properties))
    errors.push(...validateDefaults(property, vendor, `${path}.properties[${name}]`));
  const values = valueSchema(schema);
  return values === undefined
    ? errors
    : [...errors, ...validateDefaults(values, vendor, `${path}.additionalProperties`)];
}

function validateDefault(value: unknown, schema: CustomSchema, vendor: string, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const pruned = { value: cloneJson(value) };
  prune(pruned, { properties: { value: schema } }, vendor);
  if (!equalJson(pruned.value, value)) errors.push(invalidField(path, shown(value), "must not have unknown fields"));
  const embedded: FieldError[] = [];
  visitEmbedded(value, schema, vendor, (resource, at) => embedded.push(...validateEmbedded(resource, `${path}${at}`)));
  if (embedded.length > 0) return [...errors, ...embedded];
  return [...errors, ...new SchemaValidator(schema, vendor).validate(value, undefined, path)];
}

function shown(value: unknown): unknown {
  return isDraft(value) || Array.isArray(value) ? new Verbatim(goSyntax(value as JsonValue)) : value;
}
