import { compareUtf8, sortUtf8Steps } from "../lib/compare-utf8.ts";
import { FloatLiteral } from "../lib/float-literal.ts";
import type { Steps } from "../lib/in-turns.ts";
import {
  isJsonArray,
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  MEMBERS_PER_STEP,
} from "../lib/json-object.ts";
import { goFloat } from "./float.ts";
import { goQuote } from "./quote.ts";
import { withGivenFloat } from "./source-notes.ts";

/** Prints JSON values as Go does. Messages of Kubernetes contain such text, and clients show and compare messages. */

/** Formats a value like `%v`: `map[a:1 b:[x y]]`. */
export function goValue(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return "<nil>";
  if (typeof value === "string") return value;
  if (isNumber(value)) return goNumber(value);
  if (isJsonArray(value)) return `[${itemsOf(value).map(goValue).join(" ")}]`;
  if (isJsonObject(value)) {
    return `map[${sortedKeys(value)
      .map((key) => `${key}:${goValue(memberOf(value, key))}`)
      .join(" ")}]`;
  }
  return String(value);
}

/** Like `goValue`, for a large value; can be interrupted. */
export function* goValueSteps(value: JsonValue | undefined): Steps<string> {
  const isList = isJsonArray(value);
  if (!isList && !isJsonObject(value)) return goValue(value);
  const keys = isList ? [] : yield* sortUtf8Steps(Object.keys(value));
  const items = isList ? itemsOf(value) : [];
  const length = isList ? items.length : keys.length;
  const parts: string[] = [];
  for (let i = 0; i < length; i++) {
    if (i % MEMBERS_PER_STEP === MEMBERS_PER_STEP - 1) yield;
    const key = keys[i] ?? "";
    const part = isList ? items[i] : memberOf(value, key);
    const printed = typeof part === "object" ? yield* goValueSteps(part) : goValue(part);
    parts.push(isList ? printed : `${key}:${printed}`);
  }
  return isList ? `[${parts.join(" ")}]` : `map[${parts.join(" ")}]`;
}

/** Formats a value like `%s`, which marks values other than strings as errors. */
export function goString(value: JsonValue | undefined): string {
  return isJsonArray(value) || isJsonObject(value) || typeof value === "string"
    ? stringly(value)
    : `%!s(${goType(value)}${value === null || value === undefined ? "" : `=${goValue(value)}`})`;
}

function stringly(value: JsonValue): string {
  if (isJsonArray(value)) return `[${value.map(goString).join(" ")}]`;
  if (!isJsonObject(value)) return String(value);
  const members = sortedKeys(value).map((key) => `${key}:${goString(value[key])}`);
  return `map[${members.join(" ")}]`;
}

/** Formats a value like `%#v`: `map[string]interface {}{"a":1}`. */
export function goSyntax(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return "interface {}(nil)";
  if (typeof value === "string") return goQuote(value);
  if (isNumber(value)) return goNumber(value);
  if (isJsonArray(value)) return `[]interface {}{${itemsOf(value).map(goSyntax).join(", ")}}`;
  if (isJsonObject(value)) {
    return `map[string]interface {}{${sortedKeys(value)
      .map((key) => `${goQuote(key)}:${goSyntax(memberOf(value, key))}`)
      .join(", ")}}`;
  }
  return String(value);
}

/** Formats the Go type of a decoded JSON value, like `%T`. */
export function goType(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return "<nil>";
  if (typeof value === "string") return "string";
  if (typeof value === "boolean") return "bool";
  if (isNumber(value)) return isWhole(value) ? "int64" : "float64";
  return isJsonArray(value) ? "[]interface {}" : "map[string]interface {}";
}

function itemsOf(list: JsonArray): JsonArray {
  return list.map((item, index) => withGivenFloat(list, index, item) as JsonValue);
}

function memberOf(object: JsonObject, key: string): JsonValue | undefined {
  return withGivenFloat(object, key, object[key]) as JsonValue | undefined;
}

function sortedKeys(object: object): string[] {
  return Object.keys(object).sort(compareUtf8);
}

type JsonNumber = number | bigint | FloatLiteral;

function isNumber(value: unknown): value is JsonNumber {
  return typeof value === "number" || typeof value === "bigint" || value instanceof FloatLiteral;
}

/** Whether Go reads a number as an integer: it must be written as one and fit into 64 bits. */
function isWhole(value: JsonNumber): boolean {
  if (typeof value === "bigint") return BigInt.asIntN(64, value) === value;
  return typeof value === "number" && Number.isInteger(value) && Math.abs(value) < 2 ** 63;
}

function goNumber(value: JsonNumber): string {
  return isWhole(value) ? String(value) : goFloat(Number(value));
}

/** Formats a string that Go uses as a format without arguments: verbs become errors about missing values. Kubernetes formats some messages twice. */
export function goFormatted(text: string): string {
  if (!text.includes("%")) return text;
  return text.replace(/%[#0+\- ]*(?:[1-9]\d*)?(?:\.\d*)?(.|$)/gsu, (_all, verb: string) => {
    if (verb === "%") return "%";
    return verb === "" ? "%!(NOVERB)" : `%!${verb}(MISSING)`;
  });
}
