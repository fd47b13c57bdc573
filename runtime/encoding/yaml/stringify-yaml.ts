import type { Steps } from "../../lib/in-turns.ts";
import { sortSteps } from "../sort-steps.ts";
import { isSimpleKey, printKey, printScalar } from "./print-scalar.ts";

type Members = { readonly [key: string]: unknown };

/** YAML as the API server prints it: keys sorted, lists not indented under their key, quotes only where needed. */
export function stringifyYaml(value: unknown): string {
  const printer = new Printer();
  printer.node(value, 0);
  return printer.text;
}

/** Like `stringifyYaml`, for a large value; can be interrupted. */
export function* stringifyYamlSteps(value: unknown): Steps<string> {
  const printer = new Printer();
  yield* printer.nodeSteps(value, 0);
  return printer.text;
}

/** Number of map members or list items that are printed in one step. */
const MEMBERS_PER_STEP = 200;
/** Maps and lists indented further than this are printed in one step. */
const MAX_STEPPED_INDENT = 32;

/** Appends to one string. If every level returned a string, deeply nested parts would be copied once per level. */
class Printer {
  text = "";

  /** Appends a value to the current line, which already has `indent` columns. Ends with a line break. */
  node(value: unknown, indent: number): void {
    if (isFullList(value)) this.#list(value, indent);
    else if (isFullMap(value)) this.#map(value, indent);
    else this.text += isSmallInteger(value) ? `${value}\n` : printScalar(value, indent, indent);
  }

  /** Like `node`, interrupted between members and items of the upper levels. */
  *nodeSteps(value: unknown, indent: number): Steps<void> {
    if (indent > MAX_STEPPED_INDENT) this.node(value, indent);
    else if (isFullList(value)) yield* this.#listSteps(value, indent);
    else if (isFullMap(value)) yield* this.#mapSteps(value, indent);
    else this.node(value, indent);
  }

  *#listSteps(list: readonly unknown[], indent: number): Steps<void> {
    const start = indentation(indent);
    for (let i = 0; i < list.length; i++) {
      if (i % MEMBERS_PER_STEP === 0) yield;
      this.text += i === 0 ? "- " : `${start}- `;
      if (isContainer(list[i])) yield* this.nodeSteps(list[i], indent + 2);
      else this.node(list[i], indent + 2);
    }
  }

  *#mapSteps(map: Members, indent: number): Steps<void> {
    const start = indentation(indent);
    const given = Object.keys(map).filter((key) => map[key] !== undefined);
    yield;
    const keys = yield* sortSteps(given, compareNaturally);
    for (let i = 0; i < keys.length; i++) {
      if (i % MEMBERS_PER_STEP === 0) yield;
      const key = keys[i] as string;
      const value = map[key];
      if (i > 0) this.text += start;
      if (!isContainer(value) || !isSimpleKey(key)) {
        this.#member(key, value, indent, start);
      } else if (isFullList(value)) {
        this.text += `${printKey(key)}:\n${start}`;
        yield* this.nodeSteps(value, indent);
      } else if (isFullMap(value)) {
        this.text += `${printKey(key)}:\n${start}  `;
        if (indent + 2 > MAX_STEPPED_INDENT) this.#map(value, indent + 2);
        else yield* this.#mapSteps(value, indent + 2);
      } else {
        this.#member(key, value, indent, start);
      }
    }
  }

  #list(list: readonly unknown[], indent: number): void {
    const start = indentation(indent);
    for (let i = 0; i < list.length; i++) {
      this.text += i === 0 ? "- " : `${start}- `;
      this.node(list[i], indent + 2);
    }
  }

  #map(map: Members, indent: number): void {
    const start = indentation(indent);
    const keys = Object.keys(map).filter((key) => map[key] !== undefined);
    keys.sort(compareNaturally);
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i] as string;
      if (i > 0) this.text += start;
      this.#member(key, map[key], indent, start);
    }
  }

  #member(key: string, value: unknown, indent: number, start: string): void {
    if (!isSimpleKey(key)) {
      this.text += `? ${printScalar(key, indent + 2, indent + 2)}${start}: `;
      this.node(value, indent + 2);
      return;
    }
    const name = `${printKey(key)}:`;
    if (isFullList(value)) {
      this.text += `${name}\n${start}`;
      this.#list(value, indent);
    } else if (isFullMap(value)) {
      this.text += `${name}\n${start}  `;
      this.#map(value, indent + 2);
    } else {
      this.text += `${name} ${printScalar(value, indent + lengthOf(name) + 1, indent + 2)}`;
    }
  }
}

/** Whether a value is an integer whose output needs no special handling. */
function isSmallInteger(value: unknown): boolean {
  return typeof value === "number" && (value | 0) === value && !Object.is(value, -0);
}

function isContainer(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

const SPACES: string[] = [];

function indentation(columns: number): string {
  return (SPACES[columns] ??= " ".repeat(columns));
}

function isFullList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 0;
}

/** Whether a value is a map with members. Excludes numbers, which may be represented by objects that preserve their notation. */
function isFullMap(value: unknown): value is Members {
  if (typeof value !== "object" || value === null || Array.isArray(value) || value instanceof Number) return false;
  for (const key in value) if ((value as Members)[key] !== undefined && Object.hasOwn(value, key)) return true;
  return false;
}

/** Number of characters (code points). */
function lengthOf(text: string): number {
  return SURROGATE.test(text) ? [...text].length : text.length;
}

const SURROGATE = /[\ud800-\udfff]/;

const LETTER = /\p{L}/u;
const DIGIT = /\p{Nd}/u;

/**
 * The order of keys in Go's YAML, by the first character that differs: letters come after everything else, and digits compare as the
 * numbers that start there. Zeros inside a number are significant, leading zeros are not.
 */
function compareNaturally(a: string, b: string): number {
  return compareAscii(a, b) ?? compareCharacters(a, b);
}

/** Like `compareNaturally`, for ASCII. Returns undefined if non-ASCII characters or long numbers influence the result. */
function compareAscii(a: string, b: string): number | undefined {
  const length = Math.min(a.length, b.length);
  let at = 0;
  while (at < length && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  if (at === length) return a.length - b.length;
  const [x, y] = [a.charCodeAt(at), b.charCodeAt(at)];
  if (x > 0x7f || y > 0x7f) return undefined;
  if (isAsciiLetter(x) !== isAsciiLetter(y)) return isAsciiLetter(x) ? 1 : -1;
  if (isAsciiLetter(x)) return x - y;
  const [first, second] = [asciiDigitsAt(a, at), asciiDigitsAt(b, at)];
  if (first < 0 || second < 0) return undefined;
  const before = at > 0 && (x === ZERO || y === ZERO) ? isWithinAsciiNumber(a, at) : false;
  if (before === undefined) return undefined;
  const difference = asciiNumber(a, at, first, before) - asciiNumber(b, at, second, before);
  return difference || first - second || x - y;
}

const ZERO = 0x30;

function isAsciiLetter(unit: number): boolean {
  return (unit >= 0x41 && unit <= 0x5a) || (unit >= 0x61 && unit <= 0x7a);
}

function isAsciiDigit(unit: number): boolean {
  return unit >= ZERO && unit <= 0x39;
}

/** Number of digits that follow. Negative if a double cannot hold the number exactly, or if digits of another script may follow. */
function asciiDigitsAt(text: string, at: number): number {
  let end = at;
  while (isAsciiDigit(text.charCodeAt(end))) end++;
  return end - at > 14 || text.charCodeAt(end) > 0x7f ? -1 : end - at;
}

/** Parses digits as a number. A 1 is prepended if the digits continue a number, so that zeros are significant. */
function asciiNumber(text: string, at: number, digits: number, isInside: boolean): number {
  let number = isInside ? 1 : 0;
  for (let i = at; i < at + digits; i++) number = number * 10 + text.charCodeAt(i) - ZERO;
  return number;
}

/** Like `isWithinNumber`. Returns undefined if a non-ASCII character precedes. */
function isWithinAsciiNumber(text: string, at: number): boolean | undefined {
  let index = at - 1;
  while (index >= 0 && text.charCodeAt(index) === ZERO) index--;
  if (index < 0) return false;
  const unit = text.charCodeAt(index);
  return unit > 0x7f ? undefined : isAsciiDigit(unit);
}

function compareCharacters(a: string, b: string): number {
  const [left, right] = [[...a], [...b]];
  const at = left.findIndex((character, index) => character !== right[index]);
  if (at < 0 || at >= right.length) return left.length - right.length;
  const [x, y] = [left[at] as string, right[at] as string];
  const isLetter = [LETTER.test(x), LETTER.test(y)];
  if (isLetter[0] !== isLetter[1]) return isLetter[0] ? 1 : -1;
  if (!isLetter[0]) {
    const within = (x === "0" || y === "0") && isWithinNumber(left, at);
    const [first, second] = [digitsFrom(left, at), digitsFrom(right, at)];
    const difference = numberOf(first, within) - numberOf(second, within);
    if (difference !== 0n) return difference < 0n ? -1 : 1;
    if (first.length !== second.length) return first.length - second.length;
  }
  return (x.codePointAt(0) as number) - (y.codePointAt(0) as number);
}

/** Whether a position is preceded by a digit other than zero, ignoring zeros in between. */
function isWithinNumber(characters: readonly string[], at: number): boolean {
  let index = at - 1;
  while (index >= 0 && characters[index] === "0") index -= 1;
  return index >= 0 && DIGIT.test(characters[index] as string);
}

function digitsFrom(characters: readonly string[], at: number): readonly string[] {
  const end = characters.findIndex((character, index) => index >= at && !DIGIT.test(character));
  return characters.slice(at, end < 0 ? undefined : end);
}

/** Parses digits as a number, with Go's 64-bit overflow. Digits of other scripts count as their code point minus 48, as in Go. */
function numberOf(digits: readonly string[], within: boolean): bigint {
  let number = within ? 1n : 0n;
  for (const digit of digits) number = BigInt.asIntN(64, number * 10n + BigInt((digit.codePointAt(0) as number) - 48));
  return number;
}
