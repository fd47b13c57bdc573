import type { FieldError } from "../../../contract/field-error.ts";
import type { Steps } from "../../../lib/in-turns.ts";
import { requiredField } from "../../../values/field-errors.ts";
import type { CustomSchema } from "../schema/structural-schema.ts";

/** Number of properties that are checked in one step. */
const STEP = 200;

/**
 * Requires every field in `allOf`, `anyOf`, `oneOf` and `not` at the root to be declared outside of them too. Like Kubernetes, does not check
 * these keywords in fields and items.
 */
export function validateCompleteness(schema: CustomSchema, path: string): Steps<FieldError[]> {
  return narrowed(schema, schema, path, path);
}

/** Errors for fields that occur in `allOf` and similar keywords of `rules` but not in `schema`. */
function* narrowed(rules: CustomSchema, schema: CustomSchema, path: string, at: string): Steps<FieldError[]> {
  const { allOf = [], anyOf = [], oneOf = [], not } = rules;
  const errors: FieldError[] = [];
  for (const [name, parts] of Object.entries({ allOf, anyOf, oneOf })) {
    for (const [index, part] of parts.entries())
      errors.push(...(yield* nested(part, schema, path, `${at}.${name}[${index}]`)));
    if (parts.length > 0) yield;
  }
  if (not !== undefined) errors.push(...(yield* nested(not, schema, path, `${at}.not`)));
  return errors;
}

function* nested(rules: CustomSchema, schema: CustomSchema | undefined, path: string, at: string): Steps<FieldError[]> {
  if (schema === undefined) return [requiredField(path, `because it is defined in ${at}`)];
  const { items, properties = {} } = rules;
  const errors = yield* narrowed(rules, schema, path, at);
  if (items !== undefined) errors.push(...(yield* nested(items, schema.items, `${path}.items`, `${at}.items`)));
  let checked = 0;
  for (const [name, property] of Object.entries(properties)) {
    const place = `.properties[${name}]`;
    errors.push(...(yield* nested(property, schema.properties?.[name], `${path}${place}`, `${at}${place}`)));
    if (++checked % STEP === 0) yield;
  }
  return errors;
}
