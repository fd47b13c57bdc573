import { isJsonArray, type JsonValue } from "../lib/json-object.ts";

/** What Go's JSON decoder calls a value that does not fit. */
export function goJsonKind(value: JsonValue): string {
  if (value === null) return "null";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "bigint" || typeof value === "number") return "number";
  if (typeof value === "string") return "string";
  return isJsonArray(value) ? "array" : "object";
}
