import type { FieldError } from "../../../contract/field-error.ts";
import type { Steps } from "../../../lib/in-turns.ts";
import { requiredField } from "../../../values/field-errors.ts";
import { type CustomSchema, valueSchema } from "../schema/structural-schema.ts";
import { checkedProperties } from "./checked-properties.ts";

/** Properties that are checked in one step. */
const STEP = 200;

/** Every field in `allOf`, `anyOf`, `oneOf` and `not` must also be declared outside of them. */
export function* validateCompleteness(schema: CustomSchema, path: string): Steps<FieldError[]> {
  const errors: FieldError[] = [];
  const { items, allOf, anyOf, oneOf, not } = schema;
  // Most schemas have none of them.
  if ((allOf ?? anyOf ?? oneOf ?? not) !== undefined) errors.push(...(yield* narrowed(schema, schema, path, path)));
  if (items !== undefined) errors.push(...(yield* validateCompleteness(items, `${path}.items`)));
  let checked = 0;
  for (const [name, property] of yield* checkedProperties(schema)) {
    errors.push(...(yield* validateCompleteness(property, `${path}.properties[${name}]`)));
    if (++checked % STEP === 0) yield;
  }
  const values = valueSchema(schema);
  if (values !== undefined) errors.push(...(yield* validateCompleteness(values, `${path}.additionalProperties`)));
  return errors;
}

/** Errors for fields that `allOf` and the like in `rules` have, and `schema` has not. */
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
  const values = valueSchema(rules);
  const errors = yield* narrowed(rules, schema, path, at);
  if (items !== undefined) errors.push(...(yield* nested(items, schema.items, `${path}.items`, `${at}.items`)));
  let checked = 0;
  for (const [name, property] of Object.entries(properties)) {
    const place = `.properties[${name}]`;
    errors.push(...(yield* nested(property, schema.properties?.[name], `${path}${place}`, `${at}${place}`)));
    if (++checked % STEP === 0) yield;
  }
  if (values !== undefined)
    errors.push(
      ...(yield* nested(values, valueSchema(schema), `${path}.additionalProperties`, `${at}.additionalProperties`)),
    );
  return errors;
}
