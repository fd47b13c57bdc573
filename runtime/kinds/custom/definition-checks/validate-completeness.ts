import type { FieldError } from "../../../contract/field-error.ts";
import { requiredField } from "../../../values/field-errors.ts";
import { type CustomSchema, valueSchema } from "../schema/structural-schema.ts";

/** Every field in `allOf`, `anyOf`, `oneOf` and `not` must also be declared outside of them. */
export function validateCompleteness(schema: CustomSchema, path: string): FieldError[] {
  const { items, properties = {} } = schema;
  const values = valueSchema(schema);
  return [
    ...narrowed(schema, schema, path, path),
    ...(items === undefined ? [] : validateCompleteness(items, `${path}.items`)),
    ...Object.entries(properties).flatMap(([name, property]) =>
      validateCompleteness(property, `${path}.properties[${name}]`),
    ),
    ...(values === undefined ? [] : validateCompleteness(values, `${path}.additionalProperties`)),
  ];
}

/** Errors for fields that `allOf` and the like in `rules` have, and `schema` has not. */
function narrowed(rules: CustomSchema, schema: CustomSchema, path: string, at: string): FieldError[] {
  const { allOf = [], anyOf = [], oneOf = [], not } = rules;
  return [
    ...Object.entries({ allOf, anyOf, oneOf }).flatMap(([name, parts]) =>
      parts.flatMap((part, index) => nested(part, schema, path, `${at}.${name}[${index}]`)),
    ),
    ...(not === undefined ? [] : nested(not, schema, path, `${at}.not`)),
  ];
}

function nested(rules: CustomSchema, schema: CustomSchema | undefined, path: string, at: string): FieldError[] {
  if (schema === undefined) return [requiredField(path, `because it is defined in ${at}`)];
  const { items, properties = {} } = rules;
  const values = valueSchema(rules);
  return [
    ...narrowed(rules, schema, path, at),
    ...(items === undefined ? [] : nested(items, schema.items, `${path}.items`, `${at}.items`)),
    ...Object.entries(properties).flatMap(([name, property]) => {
      const place = `.properties[${name}]`;
      return nested(property, schema.properties?.[name], `${path}${place}`, `${at}${place}`);
    }),
    ...(values === undefined
      ? []
      : nested(values, valueSchema(schema), `${path}.additionalProperties`, `${at}.additionalProperties`)),
  ];
}
