import { goFloat } from "../../go/float.ts";
import { goValue } from "../../go/format.ts";
import { goJson } from "../../go/json.ts";
import { goQuote } from "../../go/quote.ts";
import { compareUtf8 } from "../../lib/compare-utf8.ts";
import { isJsonArray, isJsonObject, type JsonValue } from "../../lib/json-object.ts";

/**
 * One step of a path, represented by its FieldsV1 text in canonical form, so that equal steps are equal strings and a set of steps is a plain
 * map:
 *
 *     f:replicas                               the field `replicas`
 *     k:{"containerPort":80,"protocol":"TCP"}  the list entry with these keys, names in order
 *     v:"a"                                    the member "a" of a set
 *     i:0                                      the entry at an index
 */
export type PathElement = string;

export type ParsedElement =
  | { readonly kind: "field"; readonly name: string }
  | { readonly kind: "key"; readonly fields: readonly KeyField[] }
  | { readonly kind: "value"; readonly value: JsonValue }
  | { readonly kind: "index"; readonly index: number };

export interface KeyField {
  readonly name: string;
  readonly value: JsonValue;
}

/** Thrown for a string that is not a path element. Elements that are `unknown` come from a newer writer and are ignored. */
export class PathElementError extends Error {
  readonly code = "BadPathElement";
  readonly unknown: boolean;

  constructor(message: string, unknown = false) {
    super(message);
    this.unknown = unknown;
  }
}

export function fieldElement(name: string): PathElement {
  return `f:${name}`;
}

export function valueElement(value: JsonValue): PathElement {
  return `v:${elementJson(value)}`;
}

/** Prints the value of a key or of a member of a set in the notation of elements: exponents have two digits, and `\b` and `\f` are not used. */
export function elementJson(value: JsonValue): string {
  const text = goJson(value);
  if (typeof value === "number") return text.replace(/e([+-])(\d)$/, "e$10$2");
  return text.includes("\\") ? text.replaceAll(/\\./g, (pair) => WRITTEN_AS.get(pair) ?? pair) : text;
}

const WRITTEN_AS: ReadonlyMap<string, string> = new Map([
  ["\\b", "\\u0008"],
  ["\\f", "\\u000c"],
]);

export function indexElement(index: number): PathElement {
  return `i:${index}`;
}

/** Returns the element of a list entry with these keys. Names must be in order (`sortKeyNames`). */
export function keyElement(fields: readonly KeyField[]): PathElement {
  let text = "k:{";
  for (const field of fields) {
    if (text.length > 3) text += ",";
    text += `${goJson(field.name)}:${elementJson(field.value)}`;
  }
  return `${text}}`;
}

/** Matches simple names and values, nearly always the case: such an element is canonical if its names are in order. */
const PLAIN_KEY = /^k:\{(?:"[\w.-]+":(?:"[\w ./:@-]*"|-?(?:0|[1-9]\d{0,14})|true|false)(?:,(?=")|\}$))+$/;

function isCanonicalKey(text: string): boolean {
  if (!PLAIN_KEY.test(text)) return false;
  let last = "";
  for (const match of text.matchAll(/[{,]"([\w.-]+)":/g)) {
    const name = match[1] as string;
    if (name <= last) return false;
    last = name;
  }
  return true;
}

/** Converts a FieldsV1 key to canonical form. Throws PathElementError. */
export function canonicalElement(text: string): PathElement {
  if (text.startsWith("f:") || isCanonicalKey(text)) return text;
  const parsed = parseElement(text);
  switch (parsed.kind) {
    case "field":
      return text;
    case "key":
      return keyElement(parsed.fields);
    case "value":
      return valueElement(parsed.value);
    case "index":
      return indexElement(parsed.index);
  }
}

export function parseElement(text: string): ParsedElement {
  if (text.length < 2) throw new PathElementError("key must be 2 characters long:");
  if (text[1] !== ":") throw new PathElementError(`missing colon: ${text}`);
  const content = text.slice(2);
  switch (text[0]) {
    case "f":
      return { kind: "field", name: content };
    case "k": {
      const object = parseJson(content);
      if (!isJsonObject(object)) throw new PathElementError(`expected an object of key fields: ${text}`);
      const fields = Object.keys(object).map((name) => ({ name, value: object[name] as JsonValue }));
      return { kind: "key", fields: fields.sort((a, b) => compareUtf8(a.name, b.name)) };
    }
    case "v":
      return { kind: "value", value: parseJson(content) };
    case "i":
      if (!/^[+-]?\d+$/.test(content)) throw new PathElementError(`not an index: ${text}`);
      return { kind: "index", index: Number(content) };
    default:
      throw new PathElementError("unknown path element type", true);
  }
}

/**
 * Prints an element as messages show it: `.replicas`, `[name="a"]`, `[="a"]`, `[0]`. Set `recorded` for elements of recorded owners: they are
 * read from JSON, where Go reads all numbers as floats.
 */
export function printElement(element: PathElement, recorded = false): string {
  if (element.startsWith("f:")) return `.${element.slice(2)}`;
  const parsed = parseElement(element);
  switch (parsed.kind) {
    case "field":
      return `.${parsed.name}`;
    case "key":
      return `[${parsed.fields.map((field) => `${field.name}=${printValue(field.value, recorded)}`).join(",")}]`;
    case "value":
      return `[=${printValue(parsed.value, recorded)}]`;
    case "index":
      return `[${parsed.index}]`;
  }
}

function printValue(value: JsonValue, recorded: boolean): string {
  if (value === null) return "null";
  if (typeof value === "string") return goQuote(value);
  if (isJsonArray(value)) return `[${value.map((item) => printValue(item, recorded)).join(",")}]`;
  if (isJsonObject(value)) {
    return Object.keys(value)
      .map((key) => `${key}=${printValue(value[key] as JsonValue, recorded)}`)
      .join("");
  }
  return recorded && typeof value !== "boolean" ? goFloat(Number(value)) : goValue(value);
}

const LONG_NUMBER = /\d{16}/;

function parseJson(text: string): JsonValue {
  try {
    // A reviver is slow, and few elements contain a number that needs it.
    return (LONG_NUMBER.test(text) ? JSON.parse(text, keepBigIntegers) : JSON.parse(text)) as JsonValue;
  } catch (cause) {
    throw new PathElementError(`invalid JSON in path element: ${(cause as Error).message}`);
  }
}

function keepBigIntegers(this: unknown, _key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== "number" || Number.isSafeInteger(value)) return value;
  const source = context?.source;
  // Conversion of very many digits takes more than linear time, and the number exceeds the range of a double.
  if (!Number.isFinite(value)) throw new RangeError("number out of range");
  return source !== undefined && /^-?\d+$/.test(source) ? BigInt(source) : value;
}
