import { createRequire } from "node:module";
import type { FieldError } from "../../../contract/field-error.ts";
import { cloneJson } from "../../../lib/clone-json.ts";
import { equalJson } from "../../../lib/equal-json.ts";
import type { Steps } from "../../../lib/in-turns.ts";
import { invalidField } from "../../../values/field-errors.ts";
import { validateEmbedded, visitEmbedded } from "../schema/embedded-objects.ts";
import { prune } from "../schema/prune.ts";
import type { CustomSchema } from "../schema/structural-schema.ts";
import { shownAs } from "../validation/shown-as.ts";
import { SchemaValidator } from "../validation/validate-schema.ts";
import { checkedProperties } from "./checked-properties.ts";

/** Cost limit of all rules of one default. */
const RULE_BUDGET = 10_000_000;

/** Properties that are checked in one step. */
const STEP = 200;

/** Rejects defaults that are invalid under their own schema. */
export function* validateDefaults(schema: CustomSchema, vendor: string, path: string): Steps<FieldError[]> {
  yield;
  const { metadata, ...properties } = schema.properties ?? {};
  // The schema does not describe metadata; defaults for it are rejected elsewhere.
  const rest = metadata === undefined ? schema : { ...schema, properties };
  const isRootDefault = schema.default !== undefined;
  return yield* validatePlace(
    isRootDefault ? { ...rest, [`x-${vendor}-embedded-resource`]: true } : rest,
    vendor,
    path,
  );
}

function* validatePlace(schema: CustomSchema, vendor: string, path: string): Steps<FieldError[]> {
  const errors: FieldError[] = [];
  const value = schema.default;
  if (value !== undefined && value !== null) {
    errors.push(...validateDefault(value, schema, vendor, `${path}.default`));
    yield;
  }
  const { items } = schema;
  if (items !== undefined) errors.push(...(yield* validatePlace(items, vendor, `${path}.items`)));
  let checked = 0;
  for (const [name, property] of yield* checkedProperties(schema)) {
    errors.push(...(yield* validatePlace(property, vendor, `${path}.properties[${name}]`)));
    if (++checked % STEP === 0) yield;
  }
  // Like Kubernetes, does not check defaults in `additionalProperties`, which are meant to be forbidden.
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
  errors.push(...new SchemaValidator(schema, vendor, true).validate(value, undefined, path));
  return errors.length > 0 ? errors : brokenRules(value, schema, vendor, path);
}

/** Rules that do not compile are reported elsewhere. CEL is loaded with the first default that has rules. */
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
