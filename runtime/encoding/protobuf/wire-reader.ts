import { MAX_READ_DEPTH } from "../max-depth.ts";

export class ProtobufError extends Error {
  readonly code = "Protobuf";

  constructor(message: string) {
    super(message);
    this.name = "ProtobufError";
  }
}

export const WIRE_VARINT = 0;
export const WIRE_FIXED64 = 1;
export const WIRE_BYTES = 2;
const WIRE_GROUP_START = 3;
const WIRE_GROUP_END = 4;
const WIRE_FIXED32 = 5;

/** Limit for repeated messages, in fields and map entries that are merged again: each repetition costs as much as the message already contains. */
const MOST_MERGED_AGAIN = 200_000;

/** Reads protobuf from a buffer. Every read is bounds-checked: a broken message throws `ProtobufError`. */
export class WireReader {
  readonly buffer: Buffer;
  position: number;
  /** End of the message that is being read. Readers of nested messages set and restore it. */
  end: number;
  depth = 0;
  #text: string | undefined;
  #mergedAgain = 0;

  constructor(bytes: Uint8Array) {
    this.buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.position = 0;
    this.end = this.buffer.length;
  }

  get atEnd(): boolean {
    return this.position >= this.end;
  }

  /** Reads an unsigned number that must fit into 32 bits: a tag or a length. */
  uint32(): number {
    if (this.position < this.end) {
      const first = this.buffer[this.position] as number;
      if (first < 0x80) {
        this.position++;
        return first;
      }
    }
    let result = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = this.#byte();
      result += (byte & 0x7f) * 2 ** shift;
      // More bytes than necessary are allowed.
      if (result > 0xffff_ffff) break;
      if (byte < 0x80) return result;
    }
    throw new ProtobufError("proto: integer overflow");
  }

  /** Reads a signed 64-bit number. Returns a bigint only if a number would lose digits. */
  int64(): number | bigint {
    let low = 0;
    for (let shift = 0; shift < 49; shift += 7) {
      const byte = this.#byte();
      low += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return low;
    }
    let wide = BigInt(low);
    for (let shift = 49n; shift < 70n; shift += 7n) {
      const byte = this.#byte();
      wide |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) {
        const signed = BigInt.asIntN(64, wide);
        const small = Number(signed);
        return Number.isSafeInteger(small) ? small : signed;
      }
    }
    throw new ProtobufError("proto: integer overflow");
  }

  int32(): number {
    const value = this.int64();
    return typeof value === "number" && (value | 0) === value ? value : Number(BigInt.asIntN(32, BigInt(value)));
  }

  bool(): boolean {
    return this.int64() !== 0;
  }

  double(): number {
    const at = this.#take(8);
    return this.buffer.readDoubleLE(at);
  }

  string(): string {
    const size = this.uint32();
    const at = this.#take(size);
    const { buffer } = this;
    const end = at + size;
    for (let i = at; i < end; i++) {
      if ((buffer[i] as number) >= 0x80) return buffer.toString("utf8", at, end);
    }
    // Most strings are ASCII. A substring of the message, decoded once as Latin-1, needs no further call into the runtime.
    return (this.#text ??= buffer.toString("latin1")).slice(at, end);
  }

  /** Reads a length-prefixed field without copying its bytes. */
  bytes(): Buffer {
    const size = this.uint32();
    const at = this.#take(size);
    return this.buffer.subarray(at, at + size);
  }

  /** Begins a nested message. The return value must be passed to `leave` at the end of the message. */
  enter(): number {
    const size = this.uint32();
    const outer = this.end;
    const inner = this.position + size;
    if (inner > outer) throw new ProtobufError("unexpected EOF");
    if (++this.depth > MAX_READ_DEPTH) throw new ProtobufError("proto: exceeded max depth");
    this.end = inner;
    return outer;
  }

  leave(outer: number): void {
    this.position = this.end;
    this.end = outer;
    this.depth--;
  }

  /** Counts the size of a message that is continued because its field is repeated. Throws if the total exceeds the limit. */
  mergeAgain(size: number): void {
    this.#mergedAgain += size;
    if (this.#mergedAgain > MOST_MERGED_AGAIN)
      throw new ProtobufError("proto: the same messages are repeated too often");
  }

  /** Skips the value of an unknown field. */
  skip(wireType: number, field: number): void {
    switch (wireType) {
      case WIRE_VARINT:
        while (this.#byte() >= 0x80);
        return;
      case WIRE_FIXED64:
        this.#take(8);
        return;
      case WIRE_BYTES:
        this.#take(this.uint32());
        return;
      case WIRE_FIXED32:
        this.#take(4);
        return;
      case WIRE_GROUP_START:
        this.#skipGroup(field);
        return;
      default:
        throw new ProtobufError(`proto: illegal wireType ${wireType}`);
    }
  }

  #skipGroup(field: number): void {
    if (++this.depth > MAX_READ_DEPTH) throw new ProtobufError("proto: exceeded max depth");
    for (;;) {
      const tag = this.uint32();
      const wireType = tag & 7;
      if (wireType === WIRE_GROUP_END) {
        if (tag >>> 3 !== field) throw new ProtobufError("proto: unexpected end of group");
        this.depth--;
        return;
      }
      this.skip(wireType, tag >>> 3);
    }
  }

  #byte(): number {
    if (this.position >= this.end) throw new ProtobufError("unexpected EOF");
    return this.buffer[this.position++] as number;
  }

  #take(size: number): number {
    const at = this.position;
    if (at + size > this.end) throw new ProtobufError("unexpected EOF");
    this.position = at + size;
    return at;
  }
}
