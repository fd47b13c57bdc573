import type { Steps } from "../../lib/in-turns.ts";
import { keysOf, setOwn } from "../../lib/json-object.ts";

/** Characters that Go escapes so that JSON can be embedded in HTML and JavaScript. */
const ESCAPED = /[<>&\u2028\u2029]/;
const EVERY_ESCAPED = /[<>&\u2028\u2029]/g;

export interface StringifyOptions {
  /** Indents by two spaces per level, as requested by `?pretty=true`. */
  readonly pretty?: boolean;
}

/** Prints JSON as the API server does, without the newline at the end of a response. Bigints become plain digits. */
export function stringifyJson(value: unknown, options?: StringifyOptions): string {
  const indent = options?.pretty ? "  " : undefined;
  let text: string | undefined;
  try {
    text = JSON.stringify(value, undefined, indent);
  } catch (error) {
    // JSON.stringify rejects only bigints here. Any other error occurs again below.
    if (!(error instanceof TypeError)) throw error;
    text = JSON.stringify(value, bigintsAsRawJson, indent);
  }
  if (text === undefined) return "null";
  return escapeForHtml(text);
}

/** Objects with at most this many members are printed member by member, larger ones in parts of this size. */
const MEMBERS_PER_STEP = 1000;
/** Lists with at most this many items, such as managedFields, are printed item by item, longer ones in parts of MEMBERS_PER_STEP. */
const ITEMS_ONE_BY_ONE = 20;
/** Values nested more deeply are printed in one step. */
const MAX_LEVEL = 6;

/** Like `stringifyJson`, for a large value. Can be interrupted between members of the upper levels and inside long objects and lists. */
export function* stringifyJsonSteps(value: unknown, level = 0): Steps<string> {
  yield;
  if (level > MAX_LEVEL || !isPlainContainer(value)) return stringifyJson(value);
  const parts: string[] = [];
  if (Array.isArray(value)) {
    if (value.length <= ITEMS_ONE_BY_ONE) {
      for (const item of value) parts.push(yield* stringifyJsonSteps(item, level + 1));
      return `[${parts.join(",")}]`;
    }
    for (let at = 0; at < value.length; at += MEMBERS_PER_STEP, yield)
      parts.push(stringifyJson(value.slice(at, at + MEMBERS_PER_STEP)).slice(1, -1));
    return `[${parts.join(",")}]`;
  }
  const all = keysOf(value);
  const isLong = all.length > MEMBERS_PER_STEP;
  if (isLong) yield;
  const keys = isLong ? all : all.filter((key) => value[key] !== undefined);
  for (let at = 0; at < keys.length; at += isLong ? MEMBERS_PER_STEP : 1) {
    if (isLong) {
      const part: { [key: string]: unknown } = {};
      for (const key of keys.slice(at, at + MEMBERS_PER_STEP)) setOwn(part, key, value[key]);
      const text = stringifyJson(part).slice(1, -1);
      if (text !== "") parts.push(text);
      yield;
    } else {
      const key = keys[at] as string;
      parts.push(`${stringifyJson(key)}:${yield* stringifyJsonSteps(value[key], level + 1)}`);
    }
  }
  return `{${parts.join(",")}}`;
}

/** Whether a value is a list or plain object. Excludes objects with their own `toJSON`, such as numbers that preserve their notation. */
function isPlainContainer(value: unknown): value is { readonly [key: string]: unknown } {
  if (Array.isArray(value)) return true;
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** Escapes characters that have a meaning in HTML and JavaScript. */
export function escapeForHtml(text: string): string {
  return ESCAPED.test(text) ? text.replace(EVERY_ESCAPED, escapeUnit) : text;
}

function escapeUnit(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** `JSON.rawJSON` prints its text unchanged. TypeScript's library does not declare it yet. */
const rawJson = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON;

function bigintsAsRawJson(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? rawJson(value.toString()) : value;
}
