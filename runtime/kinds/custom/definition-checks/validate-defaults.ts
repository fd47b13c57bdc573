import { createRequire } from "node:module";
import type { RuleBudget } from "../../../cel/rules/rule.ts";
import type { FieldError } from "../../../contract/field-error.ts";
import { append } from "../../../lib/append.ts";
import { cloneJson } from "../../../lib/clone-json.ts";
import { equalJson } from "../../../lib/equal-json.ts";
import type { Steps } from "../../../lib/in-turns.ts";
import { shownAs } from "../../../schema/shown-as.ts";
import { validateEmbedded } from "../../../schema/validate-embedded.ts";
import { invalidField } from "../../../values/field-errors.ts";
import { visitEmbedded } from "../schema/embedded-objects.ts";
import { prune } from "../schema/prune.ts";
import type { CustomSchema } from "../schema/structural-schema.ts";
import { SchemaValidator } from "../validation/validate-schema.ts";
import { checkedProperties } from "./checked-properties.ts";

/** Cost limit for the rules of all defaults of a schema. */
const RULE_BUDGET = 10_000_000;

/** Number of properties that are checked in one step. */
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
    { remaining: RULE_BUDGET },
  );
}

function* validatePlace(schema: CustomSchema, vendor: string, path: string, budget: RuleBudget): Steps<FieldError[]> {
  const errors: FieldError[] = [];
  const value = schema.default;
  if (value !== undefined && value !== null) {
    errors.push(...validateDefault(value, schema, vendor, `${path}.default`, budget));
    if (budget.remaining < 0) return errors;
    yield;
  }
  const { items } = schema;
  if (items !== undefined) errors.push(...(yield* validatePlace(items, vendor, `${path}.items`, budget)));
  let checked = 0;
  for (const [name, property] of yield* checkedProperties(schema)) {
    errors.push(...(yield* validatePlace(property, vendor, `${path}.properties[${name}]`, budget)));
    if (budget.remaining < 0) return errors;
    if (++checked % STEP === 0) yield;
  }
  // Like Kubernetes, does not check defaults in `additionalProperties`, where they are meant to be forbidden.
  return errors;
}

function validateDefault(
  value: unknown,
  schema: CustomSchema,
  vendor: string,
  path: string,
  budget: RuleBudget,
): FieldError[] {
  const errors: FieldError[] = [];
  const pruned = { value: cloneJson(value) };
  prune(pruned, { properties: { value: schema } }, vendor);
  if (!equalJson(pruned.value, value)) errors.push(invalidField(path, shownAs(value), "must not have unknown fields"));
  const embedded: FieldError[] = [];
  visitEmbedded(value, schema, vendor, (resource, at) => append(embedded, validateEmbedded(resource, `${path}${at}`)));
  if (embedded.length > 0) return [...errors, ...embedded];
  append(errors, new SchemaValidator(schema, vendor, true).validate(value, undefined, path));
  return errors.length > 0 ? errors : brokenRules(value, schema, vendor, path, budget);
}

/**
 * Evaluates the rules of a default as for an update without changes and, if all hold, as for a creation. CEL is loaded with the first
 * default that has rules.
 */
function brokenRules(
  value: unknown,
  schema: CustomSchema,
  vendor: string,
  path: string,
  budget: RuleBudget,
): FieldError[] {
  const text = JSON.stringify(schema, (_key, member) => (typeof member === "bigint" ? Number(member) : member));
  if (!text.includes(`"x-${vendor}-validations"`)) return [];
  const { compileStructuralRules } = createRequire(import.meta.url)(
    "../../../cel/rules/structural-rules.ts",
  ) as typeof import("../../../cel/rules/structural-rules.ts");
  try {
    const isResource = schema[`x-${vendor}-embedded-resource`] === true;
    const rules = compileStructuralRules(schema, { vendor, isResource, isUnchanged: () => false });
    if (rules === undefined) return [];
    const second = { remaining: budget.remaining };
    const broken = rules.validate(value, value, path, budget);
    if (broken.length > 0) return broken;
    const brokenAtFirst = rules.validate(value, undefined, path, second);
    budget.remaining = Math.min(budget.remaining, second.remaining);
    return brokenAtFirst;
  } catch {
    return [];
  }
}
