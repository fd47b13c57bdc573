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
   * Keep whole numbers that are written as `1.0` or `1e2` as `FloatLiteral`, so that schema decoders can reject them as integers. If absent, they
   * become plain numbers.
   */
  readonly floatLiterals?: boolean;
  /** The caller does not change `fieldsV1` of the object. Known field sets are then shared instead of parsed again. */
  readonly sharesFields?: boolean;
}

/**
 * Parses JSON into plain values. Integers beyond 2^53 become bigint; `__proto__` is an ordinary key. Throws `JsonError` with Go's message, also
 * for nesting beyond `MAX_READ_DEPTH`, and for numbers beyond the range of a double unless `floatLiterals` is set.
 *
 * The built-in parser does the work. A scan then detects whether it may have lost something (a repeated key, digits, the notation of a float)
 * or misread it (see `mayBeMisread`). Only such documents, and broken ones, are parsed again by our own parser.
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
 * Like `parseJson`, in several turns of the event loop. The built-in parser cannot be interrupted and is slow for objects with very many
 * members, so documents with many keys are parsed by our own parser.
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
    // As in `explainBrokenJson`: errors contain bytes.
    if (error instanceof JsonError && !nestsTooDeep)
      await inTurns(parseJsonInSteps(bytes.toString("latin1"), settings));
    throw error;
  }
}

/** Like `parseOwnJson`, in several turns of the event loop. `listsKeys` records the keys of large objects, for documents of requests. */
export function parseLargeOwnJson(bytes: Buffer, listsKeys = false): Promise<unknown> {
  return inTurns(parseOwnJsonSteps(bytes, listsKeys));
}

/** Like `parseOwnJson`, for a large document; can be interrupted. */
export function* parseOwnJsonSteps(bytes: Buffer, listsKeys = false): Steps<unknown> {
  if (weigh(bytes).keys < MANY_KEYS) return parseOwnJson(bytes);
  yield;
  const settings = { floatLiterals: false, maxDepth: Number.POSITIVE_INFINITY, listsKeys };
  return (yield* parseJsonInSteps(bytes.toString("utf8"), settings)).value;
}

/** The built-in parser needs about a microsecond per key. */
const MANY_KEYS = 10_000;

function checkHuge(parsed: ParsedJson, floatLiterals: boolean): ParsedJson {
  if (parsed.huge !== undefined && !floatLiterals) throw new JsonError(new FloatRangeError(parsed.huge).message);
  return parsed;
}

/** For documents of at least this size, nesting is checked before the built-in parser runs, which would take long to detect it. */
const LARGE = 64 * 1024;

/**
 * Returns whether brackets outside of strings nest too deeply, and how many keys precede that point. For otherwise broken documents, the result
 * is not defined.
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

/** Returns undefined if the built-in parser fails or may have lost something. */
function parsePlain(bytes: Buffer, source: string, floatLiterals: boolean): ParsedJson | undefined {
  const value = parsedOrUndefined(source);
  return value === undefined ? undefined : asPlain(value, bytes, floatLiterals);
}

/** Returns the result of the built-in parser, or undefined if the parser may have lost something. */
function asPlain(value: unknown, bytes: Buffer, floatLiterals: boolean): ParsedJson | undefined {
  const found = scan(bytes);
  const { depth } = found;
  const hasOddNumber = found.longNumber || found.exponent || (found.float && floatLiterals);
  const plain = !hasOddNumber && !found.surrogate && depth <= MAX_READ_DEPTH;
  if (plain && found.escapedKey && hasBackslashInKey(value)) return undefined;
  return plain && countKeys(value) === found.keys ? { value, depth } : undefined;
}

/** Returns undefined if the text is not JSON. */
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
  /** Whether there is a number with an exponent, which may exceed the range of a double. */
  readonly exponent: boolean;
  readonly longNumber: boolean;
  /** Whether there is an escape such as `\ud83d`, which may be a lone surrogate. */
  readonly surrogate: boolean;
  /** Whether there is a key with an escape, which the built-in parser may misread. */
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

/** Scans every byte outside strings of a valid document once. Optimized for speed, because every request passes through it. */
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
