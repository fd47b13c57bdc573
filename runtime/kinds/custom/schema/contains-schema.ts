import { type CustomSchema, valueSchema } from "./structural-schema.ts";

/** Creates a predicate: whether a schema, or one nested in it, satisfies `isOfInterest`. Results are cached, because traversals call it often. */
export function createContainsSchema(
  isOfInterest: (schema: CustomSchema) => boolean,
): (schema: CustomSchema) => boolean {
  const known = new WeakMap<CustomSchema, boolean>();
  const contains = (schema: CustomSchema): boolean => {
    let answer = known.get(schema);
    if (answer === undefined) {
      const { properties = {}, items } = schema;
      const below = [...Object.values(properties), items, valueSchema(schema)];
      answer = isOfInterest(schema) || below.some((part) => part !== undefined && contains(part));
      known.set(schema, answer);
    }
    return answer;
  };
  return contains;
}
