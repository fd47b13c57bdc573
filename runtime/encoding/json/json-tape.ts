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
/** Bytes of one. */
const EMPTY = 2;

/**
 * Where the values of a JSON document are, found in one pass without building them. Each key and each value is a token, in document
 * order; tokens are numbers, and the whole document is token 0. In `{"a":[1,2],"b":3}`:
 *
 *     token    0        1    2      3  4  5    6
 *     is       {…}      "a"  [1,2]  1  2  "b"  3
 *     next     7        2    5      4  5  6    7
 *
 * An object under the key `fieldsV1`, and a value that is the same as in the last document, are tokens with nothing in them, wherever
 * they are: see `isOpaque`.
 */
export class JsonTape {
  /** Index of the first byte of a token. */
  readonly starts: Int32Array;
  /** Index after its last byte. */
  readonly ends: Int32Array;
  /** The token that follows it and everything in it. */
  readonly nexts: Int32Array;
  /** Whether a string has escapes. */
  readonly escaped: Uint8Array;
  /** Of an object or a list: its place in the last document, or the complement of that if it is the same there. Otherwise 0. */
  readonly places: Int32Array;
  #last: LastDocument | undefined;
  readonly #open: Int32Array;
  /** Hashes of the paths of what is open. */
  readonly #paths: Int32Array;
  /** How many objects and lists there were so far in each list that is open. */
  readonly #counts: Int32Array;
  readonly #most: number;

  /** For documents of at most this many bytes. */
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

  /** Reads valid JSON without spaces, as this server writes it, which may resemble `last`. False if it is longer or has spaces. */
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

  /** Whether an object or a list has members that are no tokens. */
  isOpaque(token: number): boolean {
    return this.nexts[token] === token + 1 && (this.ends[token] as number) - (this.starts[token] as number) > EMPTY;
  }

  /** Where the object or list of a token ends, if its members are not read; -1 otherwise. */
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

/** Of a name, by its length and three of its bytes. */
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

/** Whether a number or a literal goes on with this byte. */
function isPlain(byte: number): boolean {
  return byte !== COMMA && byte !== CLOSE_OBJECT && byte !== CLOSE_LIST && byte > SPACE;
}
