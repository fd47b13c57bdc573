import type { Steps } from "../../lib/in-turns.ts";
import { keysOf, setOwn } from "../../lib/json-object.ts";

/** Characters Go writes as escapes so that JSON may stand inside HTML and JavaScript. */
const ESCAPED = /[<>&\u2028\u2029]/;
const EVERY_ESCAPED = /[<>&\u2028\u2029]/g;

export interface StringifyOptions {
  /** Two spaces per level, as `?pretty=true` asks for. */
  readonly pretty?: boolean;
}

/** JSON text as the API server writes it (without the newline at the end of a response). Bigints become plain digits. */
export function stringifyJson(value: unknown, options?: StringifyOptions): string {
  const indent = options?.pretty ? "  " : undefined;
  let text: string | undefined;
  try {
    text = JSON.stringify(value, undefined, indent);
  } catch (error) {
    // The only values it refuses here are bigints; anything else fails again below.
    if (!(error instanceof TypeError)) throw error;
    text = JSON.stringify(value, bigintsAsRawJson, indent);
  }
  if (text === undefined) return "null";
  return escapeForHtml(text);
}

/** Objects with at most so many members are printed member by member, those with more in parts of so many. */
const MEMBERS_PER_STEP = 1000;
/** Lists of at most so many items, such as managedFields, are printed item by item, those with more in parts of MEMBERS_PER_STEP. */
const ITEMS_ONE_BY_ONE = 20;
/** Beyond, values are printed as a whole. */
const MAX_LEVEL = 6;

/** `stringifyJson` of a large value, which may be interrupted: between members of its upper levels, and inside long objects and lists. */
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

/** Objects that print themselves in another way, such as numbers that remember how they were written, are none. */
function isPlainContainer(value: unknown): value is { readonly [key: string]: unknown } {
  if (Array.isArray(value)) return true;
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** JSON text with escapes for what means something in HTML and JavaScript. */
export function escapeForHtml(text: string): string {
  return ESCAPED.test(text) ? text.replace(EVERY_ESCAPED, escapeUnit) : text;
}

function escapeUnit(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** `JSON.rawJSON` prints its text as it stands; TypeScript's library does not know it yet. */
const rawJson = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON;

function bigintsAsRawJson(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? rawJson(value.toString()) : value;
}
