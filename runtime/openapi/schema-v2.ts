import { type Json, mapValues } from "./json.ts";

const [V3_ROOT, V2_ROOT] = ["#/components/schemas/", "#/definitions/"];

/**
 * Converts a schema of OpenAPI 3.0 to version 2, which has neither defaults nor alternatives nor `nullable`, and allows siblings of a reference
 * where version 3 wraps the reference in `allOf`.
 */
export function schemaV2({ allOf, oneOf, default: _default, nullable: _nullable, ...schema }: Json): Json {
  const [wrapped] = (allOf ?? []) as readonly Json[];
  const { $ref, items, additionalProperties, properties, ...rest } = { ...wrapped, ...schema };
  return {
    ...(typeof $ref === "string" && { $ref: V2_ROOT + $ref.slice(V3_ROOT.length) }),
    ...(oneOf !== undefined && { type: "string" }),
    ...rest,
    ...(items !== undefined && { items: schemaV2(items as Json) }),
    ...(additionalProperties !== undefined && { additionalProperties: schemaV2(additionalProperties as Json) }),
    ...(properties !== undefined && { properties: mapValues(properties as Json, schemaV2) }),
  };
}
