import { FloatLiteral } from "../lib/float-literal.ts";
import { isJsonArray, type JsonValue } from "../lib/json-object.ts";

/** Go's name for the type of a JSON value in unmarshal errors. */
export function goJsonKind(value: JsonValue): string {
  if (value === null) return "null";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "bigint" || typeof value === "number" || (value as unknown) instanceof FloatLiteral)
    return "number";
  if (typeof value === "string") return "string";
  return isJsonArray(value) ? "array" : "object";
}
