import type { ScalarName } from "../contract/type-table.ts";
import { WIRE_BYTES, WIRE_FIXED64, WIRE_VARINT } from "../encoding/protobuf/wire-reader.ts";
import type { Shape } from "./shape.ts";

/** Scalars with their own wire format. The others hold schemas, which have to be compiled. */
export type PlainScalar = Exclude<ScalarName, "schemaOrArray" | "schemaOrBool" | "schemaOrStringArray">;

/** Returns the protobuf wire type of a type. */
export function wireTypeOf(type: Shape): number {
  if (type.kind !== "scalar") return WIRE_BYTES;
  if (type.scalar === "double") return WIRE_FIXED64;
  return type.scalar === "boolean" || type.scalar === "int32" || type.scalar === "int64" ? WIRE_VARINT : WIRE_BYTES;
}
