import { createRequire } from "node:module";
import type { FieldError } from "../../../contract/field-error.ts";
import { cloneJson } from "../../../lib/clone-json.ts";
import { equalJson } from "../../../lib/equal-json.ts";
import { invalidField } from "../../../values/field-errors.ts";
import { validateEmbedded, visitEmbedded } from "../schema/embedded-objects.ts";
import { prune } from "../schema/prune.ts";
import type { CustomSchema } from "../schema/structural-schema.ts";
import { shownAs } from "../validation/shown-as.ts";
import { SchemaValidator } from "../validation/validate-schema.ts";

/** What the rules of one default may cost together. */
const RULE_BUDGET = 10_000_000;

/** Refuses defaults that the schema they stand in would refuse. */
export function validateDefaults(schema: CustomSchema, vendor: string, path: string): FieldError[] {
  const { metadata, ...properties } = schema.properties ?? {};
  // What metadata may hold no schema says; defaults of it are refused elsewhere.
  const rest = metadata === undefined ? schema : { ...schema, properties };
  return validatePlace(rest, vendor, path);
}

function validatePlace(schema: CustomSchema, vendor: string, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const value = schema.default;
  if (value !== undefined && value !== null) errors.push(...validateDefault(value, schema, vendor, `${path}.default`));
  const { items, properties = {} } = schema;
  if (items !== undefined) errors.push(...validatePlace(items, vendor, `${path}.items`));
  for (const [name, property] of Object.entries(properties))
    errors.push(...validatePlace(property, vendor, `${path}.properties[${name}]`));
  // Kubernetes means to forbid defaults of what has no declared name, and does not look at them.
  return errors;
}

function validateDefault(value: unknown, schema: CustomSchema, vendor: string, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const pruned = { value: cloneJson(value) };
  prune(pruned, { properties: { value: schema } }, vendor);
  if (!equalJson(pruned.value, value)) errors.push(invalidField(path, shownAs(value), "must not have unknown fields"));
  const embedded: FieldError[] = [];
  visitEmbedded(value, schema, vendor, (resource, at) => embedded.push(...validateEmbedded(resource, `${path}${at}`)));
  if (embedded.length > 0) return [...errors, ...embedded];
  errors.push(...new SchemaValidator(schema, vendor).validate(value, undefined, path));
  return errors.length > 0 ? errors : brokenRules(value, schema, vendor, path);
}

/** Rules that do not compile are told about elsewhere. CEL is loaded with the first default that has rules. */
function brokenRules(value: unknown, schema: CustomSchema, vendor: string, path: string): FieldError[] {
  const text = JSON.stringify(schema, (_key, member) => (typeof member === "bigint" ? Number(member) : member));
  if (!text.includes(`"x-${vendor}-validations"`)) return [];
  const { compileStructuralRules } = createRequire(import.meta.url)(
    "../../../cel/rules/structural-rules.ts",
  ) as typeof import("../../../cel/rules/structural-rules.ts");
  try {
    const rules = compileStructuralRules(schema, { vendor, isResource: false });
    return rules?.validate(value, undefined, path, { remaining: RULE_BUDGET }) ?? [];
  } catch {
    return [];
  }
}
