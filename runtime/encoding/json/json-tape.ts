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
const EMPTY_OBJECT = 2;

/**
 * Where the values of a JSON document are, found in one pass without building them. Each key and each value is a token, in document
 * order; tokens are numbers, and the whole document is token 0. In `{"a":[1,2],"b":3}`:
 *
 *     token    0        1    2      3  4  5    6
 *     is       {…}      "a"  [1,2]  1  2  "b"  3
 *     next     7        2    5      4  5  6    7
 *
 * An object under the key `fieldsV1` is one token with nothing in it, wherever it is: see `isOpaque`.
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
  readonly #open: Int32Array;
  readonly #most: number;
  /** The last `fieldsV1`: half of an object's JSON, and most objects of a kind have the same. */
  #owned: Uint8Array = new Uint8Array(0);

  /** For documents of at most this many bytes. */
  constructor(mostBytes: number) {
    this.#most = mostBytes;
    this.starts = new Int32Array(mostBytes);
    this.ends = new Int32Array(mostBytes);
    this.nexts = new Int32Array(mostBytes);
    this.escaped = new Uint8Array(mostBytes);
    this.#open = new Int32Array(mostBytes);
  }

  /** Reads valid JSON without spaces, as this server writes it. False if it is longer or has spaces. */
  read(json: Buffer): boolean {
    const { length } = json;
    if (length > this.#most) return false;
    const { starts, ends, nexts, escaped } = this;
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
        nexts[count] = ++count;
      } else if (byte === COMMA || byte === COLON) {
        at++;
      } else if (byte === OPEN_OBJECT && isOwned(json, at)) {
        const end = this.#endOfOwned(json, at);
        if (end < 0) return false;
        starts[count] = at;
        ends[count] = at = end;
        nexts[count] = ++count;
      } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
        starts[count] = at++;
        open[depth++] = count++;
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
        nexts[count] = ++count;
      }
    }
    return depth === 0 && count > 0 && nexts[0] === count;
  }

  /** Whether an object has members that are no tokens. */
  isOpaque(token: number): boolean {
    return (
      this.nexts[token] === token + 1 && (this.ends[token] as number) - (this.starts[token] as number) > EMPTY_OBJECT
    );
  }

  /** Where the object at a brace ends, which is one token; -1 if it does not. */
  #endOfOwned(json: Buffer, start: number): number {
    const last = this.#owned;
    const lastEnd = start + last.length;
    // Where one JSON object begins with the bytes of another, it is the other.
    if (last.length > 0 && lastEnd <= json.length && json.compare(last, 0, last.length, start, lastEnd) === 0)
      return lastEnd;
    let depth = 0;
    for (let at = start; at < json.length; at++) {
      const byte = json[at];
      if (byte === QUOTE) {
        for (at++; at < json.length && json[at] !== QUOTE; at++) if (json[at] === BACKSLASH) at++;
      } else if (byte === OPEN_OBJECT) {
        depth++;
      } else if (byte === CLOSE_OBJECT && --depth === 0) {
        this.#owned = Buffer.from(json.subarray(start, at + 1));
        return at + 1;
      }
    }
    return -1;
  }
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
