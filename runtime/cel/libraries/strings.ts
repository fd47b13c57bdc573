import { codePointLength } from "../syntax/source.ts";
import { DYN, INT, listOf, STRING } from "../types/cel-type.ts";
import { boundLength, invalidArgument } from "../values/evaluation-error.ts";
import type { Int } from "../values/numbers.ts";
import { declare, type FunctionDeclaration, global, type Library, member } from "./library.ts";
import { indexOfString, lastIndexOfString, splitString } from "./search-string.ts";
import { LOCALIZED_STYLE, PLAIN_STYLE, stringFormatter } from "./string-format.ts";

const TOTAL = { total: true };
const outOfRange = (index: number | bigint) => invalidArgument(`index out of range: ${index}`);

/** Returns a representation of a string that is indexed by code point: the string itself, if it has no surrogate pairs. */
function pointsOf(text: string): string | string[] {
  return codePointLength(text) === text.length ? text : [...text];
}

const joined = (points: string | string[]): string => (typeof points === "string" ? points : points.join(""));

function charAt(text: string, index: number): string {
  const points = pointsOf(text);
  if (!(index >= 0 && index <= points.length)) throw outOfRange(index);
  return points[index] ?? "";
}

function indexOf(text: string, part: string, offset = 0): number {
  if (part === "") return offset;
  if (offset < 0) throw outOfRange(offset);
  const points = [...text];
  if (offset >= points.length) return -1;
  const before = points.slice(0, offset).join("").length;
  const found = indexOfString(text, part, before);
  return found < 0 ? -1 : codePointLength(text.slice(0, found));
}

function lastIndexOf(text: string, part: string, offset?: number): number {
  const points = [...text];
  if (part === "") return offset ?? points.length;
  const start = offset ?? points.length - 1;
  if (start < 0) throw outOfRange(start);
  if (start >= points.length) return -1;
  const limit = points.slice(0, offset ?? points.length).join("").length;
  const found = lastIndexOfString(text, part, limit);
  return found < 0 ? -1 : codePointLength(text.slice(0, found));
}

function replace(text: string, old: string, replacement: string, limit: Int = -1): string {
  const parts = partsBetween(text, old);
  const count = limit < 0 || limit >= parts.length ? parts.length - 1 : Number(limit);
  boundLength(text.length + count * (replacement.length - old.length));
  const rest = parts.slice(count).join(old);
  return [...parts.slice(0, count), rest].join(replacement);
}

/** Splits a string. The empty separator matches before every character and at the end. */
function partsBetween(text: string, part: string): string[] {
  return part === "" ? ["", ...text, ""] : splitString(text, part);
}

function split(text: string, separator: string, limit?: number): string[] {
  const parts = separator === "" ? [...text] : splitString(text, separator);
  if (limit === undefined || limit < 0 || parts.length <= limit) return parts;
  if (limit === 0) return [];
  return [...parts.slice(0, limit - 1), parts.slice(limit - 1).join(separator)];
}

function substring(text: string, start: number, end?: number): string {
  const points = pointsOf(text);
  const stop = end ?? points.length;
  if (end !== undefined && start > end) throw invalidArgument(`invalid substring range. start: ${start}, end: ${end}`);
  if (!(start >= 0 && start <= points.length)) throw outOfRange(start);
  if (!(stop >= 0 && stop <= points.length)) throw outOfRange(stop);
  return joined(points.slice(start, stop));
}

/** White space as defined by Unicode. JavaScript's `trim` removes one more character. */
const SPACE = /[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

function trim(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && SPACE.test(text.charAt(start))) start++;
  while (end > start && SPACE.test(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

const ESCAPES: Record<string, string> = {
  "\x07": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
  "\\": "\\\\",
  '"': '\\"',
};

function quote(text: string): string {
  const escaped = [...text.toWellFormed()].map((character) => ESCAPES[character] ?? character);
  return `"${escaped.join("")}"`;
}

function join(list: readonly unknown[], separator = ""): string {
  let length = separator.length * list.length;
  for (const item of list) {
    if (typeof item !== "string") throw invalidArgument(`join: invalid input: ${String(item)}`);
    length += item.length;
  }
  boundLength(length);
  return list.join(separator);
}

const lower = (text: string) => text.replaceAll(/[A-Z]+/g, (part) => part.toLowerCase());
const upper = (text: string) => text.replaceAll(/[a-z]+/g, (part) => part.toUpperCase());

const BASE: readonly FunctionDeclaration[] = [
  declare("charAt", member("string_char_at_int", [STRING, INT], STRING, charAt)),
  declare(
    "indexOf",
    member("string_index_of_string", [STRING, STRING], INT, indexOf),
    member("string_index_of_string_int", [STRING, STRING, INT], INT, indexOf),
  ),
  declare(
    "lastIndexOf",
    member("string_last_index_of_string", [STRING, STRING], INT, lastIndexOf),
    member("string_last_index_of_string_int", [STRING, STRING, INT], INT, lastIndexOf),
  ),
  declare("lowerAscii", member("string_lower_ascii", [STRING], STRING, lower, TOTAL)),
  declare("upperAscii", member("string_upper_ascii", [STRING], STRING, upper, TOTAL)),
  declare(
    "replace",
    member("string_replace_string_string", [STRING, STRING, STRING], STRING, replace, TOTAL),
    member("string_replace_string_string_int", [STRING, STRING, STRING, INT], STRING, replace, TOTAL),
  ),
  declare(
    "split",
    member("string_split_string", [STRING, STRING], listOf(STRING), split, TOTAL),
    member("string_split_string_int", [STRING, STRING, INT], listOf(STRING), split, TOTAL),
  ),
  declare(
    "substring",
    member("string_substring_int", [STRING, INT], STRING, substring),
    member("string_substring_int_int", [STRING, INT, INT], STRING, substring),
  ),
  declare("trim", member("string_trim", [STRING], STRING, trim, TOTAL)),
  declare(
    "join",
    member("list_join", [listOf(STRING)], STRING, join),
    member("list_join_string", [listOf(STRING), STRING], STRING, join),
  ),
];

const quoting = declare("strings.quote", global("strings_quote", [STRING], STRING, quote, TOTAL));
const formatting = (version: number) => {
  const format = stringFormatter(version < 3 ? LOCALIZED_STYLE : PLAIN_STYLE);
  return declare("format", member("string_format", [STRING, listOf(DYN)], STRING, format));
};

const reverse = declare(
  "reverse",
  member("string_reverse", [STRING], STRING, (text: string) => [...text].reverse().join(""), TOTAL),
);

/**
 * The extended strings library. Version 0 is the oldest; 1 adds `format` and `strings.quote`; 3 adds `reverse`,
 * and formats as the language definition says instead of as Kubernetes does.
 */
export function stringsLibrary(version: 0 | 1 | 2 | 3): Library {
  return {
    name: "strings",
    functions: [...BASE, ...(version >= 1 ? [formatting(version), quoting] : []), ...(version >= 3 ? [reverse] : [])],
  };
}
