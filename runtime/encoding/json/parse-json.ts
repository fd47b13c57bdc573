import { FloatRangeError } from "../../lib/float-literal.ts";
import { inTurns, rest, type Steps } from "../../lib/in-turns.ts";
import { MAX_READ_DEPTH } from "../max-depth.ts";
import { hasBackslashInKey } from "./escaped-key.ts";
import { JsonError } from "./json-error.ts";
import { explainBrokenJson, parseJsonInSteps, parseJsonSlowly } from "./json-parser.ts";
import { parseOwnJson } from "./parse-own-json.ts";
import type { ParsedJson } from "./parsed-json.ts";
import { putBackFields, takeKnownFields } from "./shared-fields.ts";

export interface ParseOptions {
  /**
   * Keep whole numbers written as `1.0` or `1e2` as `FloatLiteral`: schema decoders must refuse them where they want
   * integers. Off: they are plain numbers.
   */
  readonly floatLiterals?: boolean;
  /** The caller does not change `fieldsV1` of the object: known ones are shared, not parsed again. */
  readonly sharesFields?: boolean;
}

/**
 * Parses JSON into plain values. Integers beyond 2^53 become bigint; `__proto__` is an ordinary key. Throws `JsonError`
 * in Go's words, also for nesting beyond `MAX_READ_DEPTH`, and for numbers that no double can hold where floats are not kept as they were.
 *
 * The built-in parser does the work; a scan then tells whether it may have lost something (a repeated key, digits, a
 * float's spelling) or misread it (`mayBeMisread` tells how). Only such documents, and broken ones, are parsed again by our own parser.
 */
export function parseJson(text: string | Uint8Array, options?: ParseOptions): ParsedJson {
  const bytes = typeof text === "string" ? Buffer.from(text, "utf8") : asBuffer(text);
  const floatLiterals = options?.floatLiterals === true;
  const known = options?.sharesFields === true ? takeKnownFields(bytes) : undefined;
  if (known !== undefined) {
    const parsed = parsePlain(known.rest, known.rest.toString("utf8"), floatLiterals);
    if (parsed !== undefined && putBackFields(parsed.value, known.taken)) return parsed;
  }
  const source = typeof text === "string" ? text : bytes.toString("utf8");
  if (bytes.length < LARGE || !weigh(bytes).nestsTooDeep) {
    const plain = parsePlain(bytes, source, floatLiterals);
    if (plain !== undefined) return plain;
    if (parsedOrUndefined(source) === undefined) explainBrokenJson(bytes);
  }
  return checkHuge(parseJsonSlowly(source, { floatLiterals, maxDepth: MAX_READ_DEPTH }), floatLiterals);
}

/**
 * `parseJson` in several turns of the event loop. The built-in parser cannot be interrupted, and takes long to build objects with very many
 * members: those are parsed by our own parser.
 */
export async function parseLargeJson(bytes: Buffer, { floatLiterals = false }: ParseOptions): Promise<ParsedJson> {
  const { nestsTooDeep, keys } = weigh(bytes);
  const source = bytes.toString("utf8");
  if (!nestsTooDeep && keys < MANY_KEYS) {
    await rest();
    const value = parsedOrUndefined(source);
    await rest();
    const plain = value === undefined ? undefined : asPlain(value, bytes, floatLiterals);
    if (plain !== undefined) return plain;
  }
  const settings = { floatLiterals, maxDepth: MAX_READ_DEPTH, listsKeys: true };
  try {
    return checkHuge(await inTurns(parseJsonInSteps(source, settings)), floatLiterals);
  } catch (error) {
    // As in `explainBrokenJson`: errors show bytes.
    if (error instanceof JsonError && !nestsTooDeep)
      await inTurns(parseJsonInSteps(bytes.toString("latin1"), settings));
    throw error;
  }
}

/** `parseOwnJson` in several turns. For documents of requests the keys of large objects are remembered (`listsKeys`). */
export function parseLargeOwnJson(bytes: Buffer, listsKeys = false): Promise<unknown> {
  return inTurns(parseOwnJsonSteps(bytes, listsKeys));
}

/** `parseOwnJson` of a large document, which may be interrupted. */
export function* parseOwnJsonSteps(bytes: Buffer, listsKeys = false): Steps<unknown> {
  if (weigh(bytes).keys < MANY_KEYS) return parseOwnJson(bytes);
  yield;
  const settings = { floatLiterals: false, maxDepth: Number.POSITIVE_INFINITY, listsKeys };
  return (yield* parseJsonInSteps(bytes.toString("utf8"), settings)).value;
}

/** The built-in parser needs about a microsecond for each. */
const MANY_KEYS = 10_000;

function checkHuge(parsed: ParsedJson, floatLiterals: boolean): ParsedJson {
  if (parsed.huge !== undefined && !floatLiterals) throw new JsonError(new FloatRangeError(parsed.huge).message);
  return parsed;
}

/** From here on the built-in parser would take long to find out that a document nests too deep: ours stops where it does. */
const LARGE = 64 * 1024;

/**
 * Whether brackets outside of strings open further than may be read, and how many keys come before. What is broken otherwise may be judged
 * either way.
 */
function weigh(bytes: Buffer): { readonly nestsTooDeep: boolean; readonly keys: number } {
  let depth = 0;
  let keys = 0;
  const end = bytes.length;
  for (let i = 0; i < end; i++) {
    const byte = bytes[i] as number;
    if (byte === QUOTE) {
      for (i++; i < end && bytes[i] !== QUOTE; i++) if (bytes[i] === BACKSLASH) i++;
    } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      if (++depth > MAX_READ_DEPTH) return { nestsTooDeep: true, keys };
    } else if (byte === COLON) {
      keys++;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      depth--;
    }
  }
  return { nestsTooDeep: false, keys };
}

/** Undefined where the built-in parser fails or may have lost something. */
function parsePlain(bytes: Buffer, source: string, floatLiterals: boolean): ParsedJson | undefined {
  const value = parsedOrUndefined(source);
  return value === undefined ? undefined : asPlain(value, bytes, floatLiterals);
}

/** What the built-in parser made of a document; undefined where it may have lost something. */
function asPlain(value: unknown, bytes: Buffer, floatLiterals: boolean): ParsedJson | undefined {
  const found = scan(bytes);
  const { depth } = found;
  const hasOddNumber = found.longNumber || found.exponent || (found.float && floatLiterals);
  const plain = !hasOddNumber && !found.surrogate && depth <= MAX_READ_DEPTH;
  if (plain && found.escapedKey && hasBackslashInKey(value)) return undefined;
  return plain && countKeys(value) === found.keys ? { value, depth } : undefined;
}

/** Undefined for what is no JSON. */
function parsedOrUndefined(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    return undefined;
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

interface Scan {
  readonly keys: number;
  readonly depth: number;
  readonly float: boolean;
  /** A number with an exponent, which may be more than a double can hold. */
  readonly exponent: boolean;
  readonly longNumber: boolean;
  /** An escape such as `\ud83d`, which may be half of a character. */
  readonly surrogate: boolean;
  /** A key with an escape, which the built-in parser may misread. */
  readonly escapedKey: boolean;
}

const QUOTE = 0x22;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const LARGE_E = 0x45;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const SMALL_D = 0x64;
const SMALL_E = 0x65;
const SMALL_U = 0x75;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** One look at every byte outside strings of a document known to be valid. Written for speed: it sees every request. */
function scan(bytes: Buffer): Scan {
  let keys = 0;
  let depth = 0;
  let deepest = 0;
  let digits = 0;
  let float = false;
  let exponent = false;
  let longNumber = false;
  let surrogate = false;
  let escaped = false;
  let escapedKey = false;
  const end = bytes.length;
  for (let i = 0; i < end; i++) {
    const byte = bytes[i] as number;
    if (byte >= ZERO && byte <= NINE) {
      if (++digits > 15) longNumber = true;
      continue;
    }
    if (byte === QUOTE) {
      escaped = false;
      for (i++; bytes[i] !== QUOTE; i++) {
        if (bytes[i] !== BACKSLASH) continue;
        escaped = true;
        i++;
        if (bytes[i] === SMALL_U && ((bytes[i + 1] as number) | 0x20) === SMALL_D) surrogate = true;
      }
    } else if (byte === COLON) {
      keys++;
      if (escaped) escapedKey = true;
    } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      if (++depth > deepest) deepest = depth;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      depth--;
    } else if (byte === DOT) {
      float = true;
    } else if ((byte === SMALL_E || byte === LARGE_E) && digits > 0) {
      float = true;
      exponent = true;
    }
    digits = 0;
  }
  return { keys, depth: deepest, float, exponent, longNumber, surrogate, escapedKey };
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
