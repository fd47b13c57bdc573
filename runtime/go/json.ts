import { compareUtf8 } from "../lib/compare-utf8.ts";
import { isJsonArray, isJsonObject, type JsonValue } from "../lib/json-object.ts";

/**
 * Prints JSON as Go does: keys in order, `<`, `>` and `&` escaped. Used for strings that clients see (path elements, the last-applied
 * annotation), so every byte matters.
 */
export function goJson(value: JsonValue): string {
  if (typeof value === "string") return goJsonString(value);
  if (typeof value === "bigint") return value.toString();
  if (isJsonArray(value)) return `[${value.map(goJson).join(",")}]`;
  if (!isJsonObject(value)) return String(value);
  const members = Object.keys(value).sort(compareUtf8);
  return `{${members.map((key) => `${goJsonString(key)}:${goJson(value[key] as JsonValue)}`).join(",")}}`;
}

const PLAIN = /^[\w ./:@-]*$/;

export function goJsonString(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  return JSON.stringify(text).replace(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
