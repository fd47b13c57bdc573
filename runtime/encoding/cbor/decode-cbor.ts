import type { Steps } from "../../lib/in-turns.ts";
import { setOwn } from "../../lib/json-object.ts";
import { CborError } from "./cbor-error.ts";

/** Maximum nesting that Kubernetes accepts in CBOR, in servers and clients. Less than `MAX_DEPTH` of other formats. */
const MAX_CBOR_DEPTH = 64;
const BREAK = Symbol("break");
const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Decodes one CBOR document into plain JSON values. Byte strings become text unless a tag requests base64 or hex. Repeated keys are
 * rejected. Integers beyond 2^53 become bigint. Throws `CborError`.
 */
export function decodeCbor(bytes: Uint8Array): unknown {
  const decoder = new Decoder(bytes);
  const value = decoder.item();
  decoder.finish();
  return value;
}

/** Like `decodeCbor`, for a large document; can be interrupted. */
export function* decodeCborSteps(bytes: Uint8Array): Steps<unknown> {
  const decoder = new Decoder(bytes);
  const value = yield* decoder.itemSteps();
  decoder.finish();
  return value;
}

/** Number of list or map entries that are read in one step. */
const ENTRIES_PER_STEP = 500;
/** Major types, from the initial byte of an item. */
const LIST = 4;
const TAG = 6;
/** Tags that determine how the next item is represented, or that are rejected. */
const MEANT_TAGS: ReadonlySet<number> = new Set([2, 3, 21, 22, 23]);

class Decoder {
  readonly #buffer: Buffer;
  #at = 0;
  #depth = 0;

  constructor(bytes: Uint8Array) {
    this.#buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get rest(): number {
    return this.#buffer.length - this.#at;
  }

  /** Throws if bytes follow the document. */
  finish(): void {
    if (this.rest > 0) throw new CborError(`${this.rest} bytes of extraneous data starting at index ${this.#at}`);
  }

  /** Like `item`, interrupted between entries of lists and maps. */
  *itemSteps(): Steps<unknown> {
    const start = this.#at;
    const initial = this.#uint(1);
    const major = initial >> 5;
    const info = initial & 31;
    if (major < LIST || major > TAG) {
      this.#at = start;
      return this.item();
    }
    if (major === TAG) {
      if (MEANT_TAGS.has(Number(this.#size(info)))) {
        this.#at = start;
        return this.item();
      }
      this.#enter();
      const value = yield* this.itemSteps();
      this.#depth--;
      return value;
    }
    this.#enter();
    const value = major === LIST ? yield* this.#listSteps(info) : yield* this.#mapSteps(info);
    this.#depth--;
    return value;
  }

  *#listSteps(info: number): Steps<unknown[]> {
    const list: unknown[] = [];
    const size = this.#count(info);
    while (list.length < size) {
      if (list.length % ENTRIES_PER_STEP === ENTRIES_PER_STEP - 1) yield;
      if (size === Number.POSITIVE_INFINITY && this.#breaks()) break;
      list.push(this.#isContainer() ? yield* this.itemSteps() : this.item());
    }
    return list;
  }

  *#mapSteps(info: number): Steps<unknown> {
    const map: { [key: string]: unknown } = {};
    const size = this.#count(info);
    for (let i = 0; i < size; i++) {
      if (i % ENTRIES_PER_STEP === ENTRIES_PER_STEP - 1) yield;
      if (size === Number.POSITIVE_INFINITY && this.#breaks()) break;
      const key = this.#key(map, i);
      setOwn(map, key, this.#isContainer() ? yield* this.itemSteps() : this.item());
    }
    return map;
  }

  /** Whether the next item is a list, a map or a tag. */
  #isContainer(): boolean {
    const major = (this.#buffer[this.#at] ?? 0) >> 5;
    return major >= LIST && major <= TAG;
  }

  /** Consumes the end of a list or map of indefinite length, if it is next. */
  #breaks(): boolean {
    if (this.#buffer[this.#at] !== 0xff) return false;
    this.#at++;
    return true;
  }

  #enter(): void {
    if (++this.#depth > MAX_CBOR_DEPTH) throw new CborError(`exceeded max nested level ${MAX_CBOR_DEPTH}`);
  }

  item(): unknown {
    const value = this.#next(undefined);
    if (value === BREAK) throw new CborError('unexpected "break" code');
    return value;
  }

  /** `encoding` is the text encoding in which a byte string is represented. */
  #next(encoding: BufferEncoding | undefined): unknown {
    const initial = this.#uint(1);
    const major = initial >> 5;
    const info = initial & 31;
    switch (major) {
      case 0:
        return this.#integer(this.#size(info), false);
      case 1:
        return this.#integer(this.#size(info), true);
      case 2:
        return this.#bytes(info, 2).toString(encoding ?? "utf8");
      case 3:
        return this.#text(info);
      case 4:
        return this.#nested(() => this.#list(info, encoding));
      case 5:
        return this.#nested(() => this.#map(info));
      case 6:
        return this.#nested(() => this.#tagged(Number(this.#size(info)), encoding));
      default:
        return this.#simple(info);
    }
  }

  #nested<T>(read: () => T): T {
    this.#enter();
    const value = read();
    this.#depth--;
    return value;
  }

  #tagged(tag: number, encoding: BufferEncoding | undefined): unknown {
    switch (tag) {
      case 2:
      case 3:
        throw new CborError("bignums are not supported");
      case 21:
        return this.#next("base64url");
      case 22:
        return this.#next("base64");
      case 23:
        return this.#next("hex");
      default:
        return this.#next(encoding);
    }
  }

  #integer(size: number | bigint, negative: boolean): number | bigint {
    if (typeof size === "number") return negative ? -1 - size : size;
    if (size >= 2n ** 63n) throw new CborError("integer out of range of 64 bits");
    return negative ? -1n - size : size;
  }

  #text(info: number): string {
    try {
      return utf8.decode(this.#bytes(info, 3));
    } catch (error) {
      if (error instanceof CborError) throw error;
      throw new CborError("invalid UTF-8 string");
    }
  }

  /** Reads the content of a string. A string of indefinite length consists of chunks. */
  #bytes(info: number, major: number): Buffer {
    if (info !== 31) {
      const size = Number(this.#size(info));
      return this.#buffer.subarray(this.#take(size), this.#at);
    }
    const pieces: Buffer[] = [];
    for (;;) {
      const initial = this.#uint(1);
      if (initial === 0xff) return Buffer.concat(pieces);
      if (initial >> 5 !== major || (initial & 31) === 31)
        throw new CborError("wrong piece in a string of indefinite length");
      pieces.push(this.#bytes(initial & 31, major));
    }
  }

  #list(info: number, encoding: BufferEncoding | undefined): unknown[] {
    const list: unknown[] = [];
    const size = this.#count(info);
    while (list.length < size) {
      const item = this.#next(encoding);
      if (item === BREAK) {
        if (size !== Number.POSITIVE_INFINITY) throw new CborError('unexpected "break" code');
        break;
      }
      list.push(item);
    }
    return list;
  }

  #map(info: number): unknown {
    const map: { [key: string]: unknown } = {};
    const size = this.#count(info);
    for (let i = 0; i < size; i++) {
      if (size === Number.POSITIVE_INFINITY && this.#breaks()) break;
      const key = this.#key(map, i);
      setOwn(map, key, this.item());
    }
    return map;
  }

  /** Reads the next key of a map. */
  #key(map: object, index: number): string {
    const key = this.#next(undefined);
    if (typeof key !== "string") throw new CborError("map keys must be strings");
    if (Object.hasOwn(map, key))
      throw new CborError(`found duplicate map key ${JSON.stringify(key)} at map element index ${index}`);
    return key;
  }

  /** Reads the number of entries that follow. Each takes at least one byte, so a false number is rejected before memory is allocated for it. */
  #count(info: number): number {
    if (info === 31) return Number.POSITIVE_INFINITY;
    const size = Number(this.#size(info));
    if (size > this.rest) throw new CborError("unexpected EOF");
    return size;
  }

  #simple(info: number): unknown {
    switch (info) {
      case 20:
        return false;
      case 21:
        return true;
      case 22:
        return null;
      case 25:
        return finite(halfToNumber(this.#uint(2)));
      case 26:
        return finite(this.#buffer.readFloatBE(this.#take(4)));
      case 27:
        return finite(this.#buffer.readDoubleBE(this.#take(8)));
      case 31:
        return BREAK;
      default:
        throw new CborError(`simple value ${info} is not recognized`);
    }
  }

  #size(info: number): number | bigint {
    if (info < 24) return info;
    if (info === 24) return this.#uint(1);
    if (info === 25) return this.#uint(2);
    if (info === 26) return this.#uint(4);
    if (info !== 27) throw new CborError(`invalid additional information ${info}`);
    const wide = this.#buffer.readBigUInt64BE(this.#take(8));
    return wide <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(wide) : wide;
  }

  #uint(bytes: 1 | 2 | 4): number {
    return this.#buffer.readUIntBE(this.#take(bytes), bytes);
  }

  #take(size: number): number {
    const at = this.#at;
    if (at + size > this.#buffer.length) throw new CborError("unexpected EOF");
    this.#at = at + size;
    return at;
  }
}

function finite(value: number): number {
  if (!Number.isFinite(value)) throw new CborError("floating-point NaN and infinity are not allowed");
  return value;
}

function halfToNumber(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const mantissa = bits & 1023;
  if (exponent === 31) return mantissa === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return exponent === 0 ? sign * mantissa * 2 ** -24 : sign * (1 + mantissa / 1024) * 2 ** (exponent - 15);
}
