import { compareUtf8 } from "./compare-utf8.ts";
import { goQuote } from "./go-quote.ts";
import { isJsonArray, isJsonObject, type JsonValue } from "./json-object.ts";

/**
 * JSON values printed as Go prints them. Kubernetes puts such text into messages that clients show and compare, so
 * ours must have the same shape.
 */

/** `%v`: `map[a:1 b:[x y]]`. */
export function goValue(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return "<nil>";
  if (typeof value === "string") return value;
  if (typeof value === "number") return goNumber(value);
  if (isJsonArray(value)) return `[${value.map(goValue).join(" ")}]`;
  if (isJsonObject(value)) {
    return `map[${sortedKeys(value)
      .map((key) => `${key}:${goValue(value[key])}`)
      .join(" ")}]`;
  }
  return String(value);
}

/** `%#v`: `map[string]interface {}{"a":1}`. */
export function goSyntax(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return "interface {}(nil)";
  if (typeof value === "string") return goQuote(value);
  if (typeof value === "number") return goNumber(value);
  if (isJsonArray(value)) return `[]interface {}{${value.map(goSyntax).join(", ")}}`;
  if (isJsonObject(value)) {
    return `map[string]interface {}{${sortedKeys(value)
      .map((key) => `${goQuote(key)}:${goSyntax(value[key])}`)
      .join(", ")}}`;
  }
  return String(value);
}

/** `%T`: the type a decoded JSON value has in Go. */
export function goType(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return "<nil>";
  if (typeof value === "string") return "string";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "bigint") return "int64";
  if (typeof value === "number") return Number.isInteger(value) ? "int64" : "float64";
  return isJsonArray(value) ? "[]interface {}" : "map[string]interface {}";
}

function sortedKeys(object: object): string[] {
  return Object.keys(object).sort(compareUtf8);
}

/** Like `%v` of a float64, which is an integer's own text for whole numbers below 1e21. */
function goNumber(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && size < 1e-4) {
    return value.toExponential().replace(/e([+-])(\d)$/, "e$10$2");
  }
  return String(value);
}

/**
 * A text that Go takes for a format and has no values for: what looks like a verb shows that its value is missing.
 * Kubernetes formats a few messages twice.
 */
export function goFormatted(text: string): string {
  if (!text.includes("%")) return text;
  return text.replace(/%[#0+\- ]*\d*(?:\.\d*)?(.|$)/gsu, (_all, verb: string) => {
    if (verb === "%") return "%";
    return verb === "" ? "%!(NOVERB)" : `%!${verb}(MISSING)`;
  });
}
