import type { Steps } from "../../lib/in-turns.ts";
import { sortSteps } from "../sort-steps.ts";
import { CborError } from "./cbor-error.ts";

/** The head of tag 55799, with which every CBOR document of the API begins. */
const SELF_DESCRIBED = Buffer.from([0xd9, 0xd9, 0xf7]);

const UNSIGNED = 0x00;
const NEGATIVE = 0x20;
const BYTES = 0x40;
const LIST = 0x80;
const MAP = 0xa0;

/**
 * Encodes plain values as Kubernetes does: deterministically (shortest heads and floats, keys in byte order), strings as byte strings, and with
 * the self-described tag first unless `bare` is set.
 */
export function encodeCbor(value: unknown, options?: { readonly bare?: boolean }): Buffer {
  const encoder = new Encoder();
  if (!options?.bare) encoder.raw(SELF_DESCRIBED);
  encoder.value(value);
  return encoder.take();
}

/** Like `encodeCbor`, for a large value; can be interrupted. */
export function* encodeCborSteps(value: unknown, options?: { readonly bare?: boolean }): Steps<Buffer> {
  const encoder = new Encoder();
  if (!options?.bare) encoder.raw(SELF_DESCRIBED);
  yield* encoder.valueSteps(value, 0);
  return encoder.take();
}

/** Number of map members or list items that are encoded in one step. */
const MEMBERS_PER_STEP = 500;
/** Maps and lists nested more deeply are encoded in one step. */
const MAX_STEPPED_DEPTH = 12;

interface MapKey {
  readonly key: string;
  readonly bytes: Buffer;
}

/** The head of a key contains its length, so shorter keys sort first. */
const compareKeys = (a: MapKey, b: MapKey) => a.bytes.length - b.bytes.length || Buffer.compare(a.bytes, b.bytes);

/** Encodes a map except for the items of one list member: returns the bytes before and after them. The items must be encoded with `bare`. */
export function cborAround(
  map: { readonly [key: string]: unknown },
  listMember: string,
  items: number,
): { readonly head: Buffer; readonly tail: Buffer } {
  const encoder = new Encoder();
  encoder.raw(SELF_DESCRIBED);
  let head: Buffer = Buffer.alloc(0);
  encoder.map({ ...map, [listMember]: null }, (key) => {
    if (key !== listMember) return false;
    encoder.listHead(items);
    head = encoder.take();
    return true;
  });
  return { head, tail: encoder.take().subarray(head.length) };
}

class Encoder {
  #buffer = Buffer.allocUnsafe(4096);
  #length = 0;

  take(): Buffer {
    return Buffer.from(this.#buffer.subarray(0, this.#length));
  }

  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#buffer.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  value(value: unknown): void {
    if (typeof value === "string") this.#text(value);
    else if (typeof value === "number") this.#number(value);
    else if (typeof value === "boolean") this.#byte(value ? 0xf5 : 0xf4);
    else if (typeof value === "bigint") this.#bigInteger(value);
    else if (Array.isArray(value)) this.#list(value);
    else if (typeof value === "object" && value !== null) this.map(value as { [key: string]: unknown });
    else this.#byte(0xf6);
  }

  #list(list: readonly unknown[]): void {
    this.listHead(list.length);
    for (const item of list) this.value(item);
  }

  listHead(items: number): void {
    this.#head(LIST, items);
  }

  /** `writes` returns true if it has written the value of a member itself. */
  map(map: { [key: string]: unknown }, writes?: (key: string) => boolean): void {
    const keys = Object.keys(map)
      .filter((key) => map[key] !== undefined)
      .map((key): MapKey => ({ key, bytes: Buffer.from(key, "utf8") }))
      .sort(compareKeys);
    this.#head(MAP, keys.length);
    for (const { key, bytes } of keys) {
      this.#head(BYTES, bytes.length);
      this.raw(bytes);
      if (!writes?.(key)) this.value(map[key]);
    }
  }

  /** Like `value`, interrupted between members and items of the upper levels. */
  *valueSteps(value: unknown, depth: number): Steps<void> {
    if (typeof value !== "object" || value === null || depth > MAX_STEPPED_DEPTH) this.value(value);
    else if (Array.isArray(value)) yield* this.#listSteps(value, depth);
    else yield* this.#mapSteps(value as { readonly [key: string]: unknown }, depth);
  }

  *#listSteps(list: readonly unknown[], depth: number): Steps<void> {
    this.listHead(list.length);
    for (let i = 0; i < list.length; i++) {
      if (i % MEMBERS_PER_STEP === MEMBERS_PER_STEP - 1) yield;
      yield* this.valueSteps(list[i], depth + 1);
    }
  }

  *#mapSteps(map: { readonly [key: string]: unknown }, depth: number): Steps<void> {
    const keys: MapKey[] = [];
    for (const key of Object.keys(map)) {
      if (keys.length % MEMBERS_PER_STEP === MEMBERS_PER_STEP - 1) yield;
      if (map[key] !== undefined) keys.push({ key, bytes: Buffer.from(key, "utf8") });
    }
    const sorted = yield* sortSteps(keys, compareKeys);
    this.#head(MAP, sorted.length);
    for (let i = 0; i < sorted.length; i++) {
      if (i % MEMBERS_PER_STEP === MEMBERS_PER_STEP - 1) yield;
      const { key, bytes } = sorted[i] as MapKey;
      this.#head(BYTES, bytes.length);
      this.raw(bytes);
      const value = map[key];
      if (typeof value === "object" && value !== null) yield* this.valueSteps(value, depth + 1);
      else this.value(value);
    }
  }

  #text(text: string): void {
    const size = Buffer.byteLength(text);
    this.#head(BYTES, size);
    this.#reserve(size);
    this.#length += this.#buffer.write(text, this.#length, "utf8");
  }

  #number(value: number): void {
    if (!Number.isSafeInteger(value)) this.#float(value);
    else if (value >= 0) this.#head(UNSIGNED, value);
    else this.#head(NEGATIVE, -1 - value);
  }

  #bigInteger(value: bigint): void {
    const [major, size] = value >= 0n ? [UNSIGNED, value] : [NEGATIVE, -1n - value];
    if (size >= 2n ** 63n) {
      this.#float(Number(value));
      return;
    }
    if (size <= BigInt(Number.MAX_SAFE_INTEGER)) {
      this.#head(major, Number(size));
      return;
    }
    this.#byte(major | 27);
    this.#reserve(8);
    this.#length = this.#buffer.writeBigUInt64BE(size, this.#length);
  }

  /** Writes the shortest of three widths that preserves the value. */
  #float(value: number): void {
    if (!Number.isFinite(value)) throw new CborError("floats must be finite");
    const half = halfBits(value);
    this.#reserve(9);
    if (half !== undefined) {
      this.#buffer[this.#length++] = 0xf9;
      this.#length = this.#buffer.writeUInt16BE(half, this.#length);
    } else if (Math.fround(value) === value) {
      this.#buffer[this.#length++] = 0xfa;
      this.#length = this.#buffer.writeFloatBE(value, this.#length);
    } else {
      this.#buffer[this.#length++] = 0xfb;
      this.#length = this.#buffer.writeDoubleBE(value, this.#length);
    }
  }

  #head(major: number, size: number): void {
    this.#reserve(9);
    if (size < 24) {
      this.#buffer[this.#length++] = major | size;
    } else if (size < 0x100) {
      this.#buffer[this.#length++] = major | 24;
      this.#buffer[this.#length++] = size;
    } else if (size < 0x10000) {
      this.#buffer[this.#length++] = major | 25;
      this.#length = this.#buffer.writeUInt16BE(size, this.#length);
    } else if (size < 0x100000000) {
      this.#buffer[this.#length++] = major | 26;
      this.#length = this.#buffer.writeUInt32BE(size, this.#length);
    } else {
      this.#buffer[this.#length++] = major | 27;
      this.#length = this.#buffer.writeBigUInt64BE(BigInt(size), this.#length);
    }
  }

  #byte(value: number): void {
    this.#reserve(1);
    this.#buffer[this.#length++] = value;
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes <= this.#buffer.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, this.#length + bytes));
    this.#buffer.copy(grown, 0, 0, this.#length);
    this.#buffer = grown;
  }
}

/** Returns the 16 bits of a value that half precision represents exactly (zero and normal numbers), or undefined. */
function halfBits(value: number): number | undefined {
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  if (value === 0) return sign;
  const size = Math.abs(value);
  const exponent = Math.floor(Math.log2(size));
  if (exponent < -14 || exponent > 15) return undefined;
  const mantissa = (size / 2 ** exponent - 1) * 1024;
  return Number.isInteger(mantissa) ? sign | ((exponent + 15) << 10) | mantissa : undefined;
}
