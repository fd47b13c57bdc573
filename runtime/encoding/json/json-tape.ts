import { type LastDocument, placeOf } from "./last-document.ts";
import { endOfObject } from "./shared-fields.ts";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const SPACE = 0x20;
/** Length of an empty object or list. */
const EMPTY = 2;

/**
 * The positions of the values of a JSON document, found in one pass without building the values. Each key and each value is a token, numbered in
 * document order; token 0 is the whole document. In `{"a":[1,2],"b":3}`:
 *
 *     token    0        1    2      3  4  5    6
 *     is       {…}      "a"  [1,2]  1  2  "b"  3
 *     next     7        2    5      4  5  6    7
 *
 * An object under the key `fieldsV1`, and a value that is unchanged from the last document, is a single token without nested tokens: see
 * `isOpaque`.
 */
export class JsonTape {
  /** Index of the first byte of a token. */
  readonly starts: Int32Array;
  /** Index after the last byte of a token. */
  readonly ends: Int32Array;
  /** The next token that is not nested in this token. */
  readonly nexts: Int32Array;
  /** Whether a string contains escapes. */
  readonly escaped: Uint8Array;
  /** For an object or list: its slot in the last document, or the bitwise complement of the slot if it is unchanged there. 0 for other tokens. */
  readonly places: Int32Array;
  #last: LastDocument | undefined;
  readonly #open: Int32Array;
  /** Path hashes of the open objects and lists. */
  readonly #paths: Int32Array;
  /** Number of objects and lists so far in each open list. */
  readonly #counts: Int32Array;
  readonly #most: number;

  /** Creates a tape for documents of at most this many bytes. */
  constructor(mostBytes: number) {
    this.#most = mostBytes;
    this.starts = new Int32Array(mostBytes);
    this.ends = new Int32Array(mostBytes);
    this.nexts = new Int32Array(mostBytes);
    this.escaped = new Uint8Array(mostBytes);
    this.places = new Int32Array(mostBytes);
    this.#open = new Int32Array(mostBytes);
    this.#paths = new Int32Array(mostBytes);
    this.#counts = new Int32Array(mostBytes);
  }

  /** Reads valid JSON without spaces, as this server writes it. Compares it with `last`. Returns false if it is too long or contains spaces. */
  read(json: Buffer, last: LastDocument): boolean {
    const { length } = json;
    if (length > this.#most) return false;
    this.#last = last;
    last.begin(length);
    const { starts, ends, nexts, escaped, places } = this;
    const open = this.#open;
    let count = 0;
    let depth = 0;
    for (let at = 0; at < length; ) {
      const byte = json[at] as number;
      if (byte === QUOTE) {
        starts[count] = at++;
        let hasEscapes = 0;
        for (let unit = json[at]; unit !== QUOTE; unit = json[++at]) {
          if (unit === undefined) return false;
          if (unit !== BACKSLASH) continue;
          hasEscapes = 1;
          at++;
        }
        ends[count] = ++at;
        escaped[count] = hasEscapes;
        places[count] = 0;
        nexts[count] = ++count;
      } else if (byte === COMMA || byte === COLON) {
        at++;
      } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
        starts[count] = at;
        const end = this.#endOfOpaque(json, at, depth, count);
        if (end > 0) {
          ends[count] = at = end;
          nexts[count] = ++count;
        } else {
          at++;
          open[depth++] = count++;
        }
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
        if (depth === 0) return false;
        const opened = open[--depth] as number;
        ends[opened] = ++at;
        nexts[opened] = count;
      } else if (byte <= SPACE) {
        return false;
      } else {
        starts[count] = at++;
        for (let unit = json[at]; unit !== undefined && isPlain(unit); ) unit = json[++at];
        ends[count] = at;
        places[count] = 0;
        nexts[count] = ++count;
      }
    }
    return depth === 0 && count > 0 && nexts[0] === count;
  }

  /** Whether a non-empty object or list has no tokens for its members. */
  isOpaque(token: number): boolean {
    return this.nexts[token] === token + 1 && (this.ends[token] as number) - (this.starts[token] as number) > EMPTY;
  }

  /** Returns the end of an object or list whose members need not be read, or -1. */
  #endOfOpaque(json: Buffer, at: number, depth: number, token: number): number {
    const path = this.#pathOf(json, depth, token);
    this.#paths[depth] = path;
    this.#counts[depth] = 0;
    const place = placeOf(path);
    const end = depth === 0 ? -1 : (this.#last as LastDocument).endOf(place, json, at);
    this.places[token] = end < 0 ? place : ~place;
    return end < 0 && json[at] === OPEN_OBJECT && isOwned(json, at) ? endOfObject(json, at) : end;
  }

  #pathOf(json: Buffer, depth: number, token: number): number {
    if (depth === 0) return 1;
    const above = Math.imul(this.#paths[depth - 1] as number, 31);
    const isElement = json[this.starts[this.#open[depth - 1] as number] as number] === OPEN_LIST;
    if (!isElement)
      return above + hashOf(json, (this.starts[token - 1] as number) + 1, (this.ends[token - 1] as number) - 1);
    const nth = (this.#counts[depth - 1] as number) + 1;
    this.#counts[depth - 1] = nth;
    return above + nth;
  }
}

/** Hashes a name by its length and three of its bytes. */
export function hashOf(bytes: Uint8Array, start: number, end: number): number {
  const middle = bytes[(start + end) >> 1] as number;
  return (end - start) * 7 + (bytes[start] as number) * 31 + (bytes[end - 1] as number) * 17 + middle * 5;
}

const OWNED = Buffer.from('"fieldsV1":');

/** Whether the object at a brace is the value of `fieldsV1`. */
function isOwned(json: Uint8Array, at: number): boolean {
  const start = at - OWNED.length;
  if (start < 0 || json[at - 2] !== QUOTE || json[at - 3] !== OWNED[OWNED.length - 3]) return false;
  for (let i = 0; i < OWNED.length; i++) if (json[start + i] !== OWNED[i]) return false;
  return true;
}

/** Whether a byte belongs to a number or literal. */
function isPlain(byte: number): boolean {
  return byte !== COMMA && byte !== CLOSE_OBJECT && byte !== CLOSE_LIST && byte > SPACE;
}
