import type { SchemaSource } from "../contract/api-registry.ts";
import { type Json, mapValues } from "./json.ts";

type Schemas = ReturnType<SchemaSource["schemas"]>;

/** The same schemas, without the lists of values that strings may have. */
export function withoutEnums(source: SchemaSource): SchemaSource {
  return {
    modules: () => source.modules(),
    schemas: (packageName) => mapValues(source.schemas(packageName), withoutEnum) as Schemas,
  };
}

function withoutEnum({ enum: _values, items, additionalProperties, properties, ...rest }: Json): Json {
  return {
    ...rest,
    ...(items !== undefined && { items: withoutEnum(items as Json) }),
    ...(additionalProperties !== undefined && { additionalProperties: withoutEnum(additionalProperties as Json) }),
    ...(properties !== undefined && { properties: mapValues(properties as Json, withoutEnum) }),
  };
}
