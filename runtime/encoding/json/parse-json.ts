import { explainBrokenJson, MAX_DEPTH, parseJsonSlowly } from "./json-parser.ts";

/** A parsed document and what plain values cannot tell about it. */
export interface ParsedJson {
  readonly value: unknown;
  /** Keys that appeared more than once, by the object that had them; the last value won. Absent when there are none. */
  readonly duplicates?: ReadonlyMap<object, readonly string[]>;
  /** Numbers such as `1.0` are kept as `FloatLiteral`, because a decoder must refuse them where it wants integers. */
  readonly floats: boolean;
}

export interface ParseOptions {
  /** Keep whole numbers written as `1.0` or `1e2` apart. Off: they are plain numbers. */
  readonly floatLiterals?: boolean;
}

/**
 * Parses JSON into plain values. Integers beyond 2^53 become bigint; `__proto__` is an ordinary key. Throws `JsonError`
 * in Go's words.
 *
 * The built-in parser does the work; a scan then tells whether it may have lost something (a repeated key, digits, a
 * float's spelling). Only such documents, and broken ones, are parsed again by our own parser.
 */
export function parseJson(text: string | Uint8Array, options?: ParseOptions): ParsedJson {
  const source = typeof text === "string" ? text : asBuffer(text).toString("utf8");
  const floatLiterals = options?.floatLiterals === true;
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch {
    explainBrokenJson(typeof text === "string" ? Buffer.from(text, "utf8") : asBuffer(text));
    return parseJsonSlowly(source, floatLiterals);
  }
  const found = scan(source);
  const plain = !found.longNumber && !(found.float && floatLiterals) && found.depth <= SHALLOW;
  if (plain && countKeys(value) === found.keys) return { value, floats: false };
  return parseJsonSlowly(source, floatLiterals);
}

/** Nesting that a recursive walk bears without thought; far below `MAX_DEPTH`. */
const SHALLOW = Math.min(500, MAX_DEPTH);

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

interface Scan {
  readonly keys: number;
  readonly depth: number;
  readonly float: boolean;
  readonly longNumber: boolean;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** One look at every character outside strings of a document known to be valid. */
function scan(text: string): Scan {
  let keys = 0;
  let depth = 0;
  let deepest = 0;
  let digits = 0;
  let float = false;
  let longNumber = false;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0x30 && unit <= 0x39) {
      if (++digits > 15) longNumber = true;
      continue;
    }
    switch (unit) {
      case QUOTE:
        for (i++; text.charCodeAt(i) !== QUOTE; i++) if (text.charCodeAt(i) === BACKSLASH) i++;
        break;
      case 0x3a: // :
        keys++;
        break;
      case 0x7b: // {
      case 0x5b: // [
        if (++depth > deepest) deepest = depth;
        break;
      case 0x7d: // }
      case 0x5d: // ]
        depth--;
        break;
      case 0x2e: // .
        float = true;
        break;
      case 0x65: // e, unless it belongs to true or false
      case 0x45: // E
        if (digits > 0) float = true;
        break;
    }
    digits = 0;
  }
  return { keys, depth: deepest, float, longNumber };
}

function countKeys(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const item: unknown = value[i];
      if (typeof item === "object" && item !== null) count += countKeys(item);
    }
    return count;
  }
  for (const key in value) {
    count++;
    const child = (value as { [key: string]: unknown })[key];
    if (typeof child === "object" && child !== null) count += countKeys(child);
  }
  return count;
}
