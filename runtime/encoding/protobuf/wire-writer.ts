/**
 * Writes protobuf back to front, so that the length of a message is known when its header is written: contents first,
 * then the length, then the tag. Fields must therefore be written in descending order.
 */
export class WireWriter {
  #buffer: Buffer;
  /** Index of the first byte written. */
  #start: number;

  constructor(capacity = 4096) {
    this.#buffer = Buffer.allocUnsafe(capacity);
    this.#start = capacity;
  }

  /** Bytes written so far; the length of a message is the difference of two readings. */
  get length(): number {
    return this.#buffer.length - this.#start;
  }

  #reserve(bytes: number): number {
    if (this.#start < bytes) {
      const grown = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, this.#buffer.length + bytes));
      const used = this.#buffer.length - this.#start;
      this.#buffer.copy(grown, grown.length - used, this.#start);
      this.#start = grown.length - used;
      this.#buffer = grown;
    }
    return (this.#start -= bytes);
  }

  /** A whole number from 0 to 2^53. */
  varint(value: number): void {
    if (value < 0x80) {
      // Not in one expression: that would take the buffer before it grows.
      const at = this.#reserve(1);
      this.#buffer[at] = value;
      return;
    }
    let size = 1;
    for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) size++;
    let at = this.#reserve(size);
    let rest = value;
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) this.#buffer[at++] = (rest % 0x80) | 0x80;
    this.#buffer[at] = rest;
  }

  /** A signed number; negative ones take ten bytes. */
  int(value: number | bigint): void {
    if (typeof value === "number" && value >= 0) {
      this.varint(value);
      return;
    }
    let rest = BigInt.asUintN(64, BigInt(value));
    const bytes: number[] = [];
    for (; rest >= 0x80n; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
    bytes.push(Number(rest));
    this.bytes(bytes);
  }

  bool(value: boolean): void {
    const at = this.#reserve(1);
    this.#buffer[at] = value ? 1 : 0;
  }

  double(value: number): void {
    const at = this.#reserve(8);
    this.#buffer.writeDoubleLE(value, at);
  }

  /** Text with its length before it. */
  string(value: string): void {
    const units = value.length;
    if (units < SHORT) {
      const at = this.#reserve(units);
      const buffer = this.#buffer;
      let i = 0;
      for (; i < units; i++) {
        const unit = value.charCodeAt(i);
        if (unit >= 0x80) break;
        buffer[at + i] = unit;
      }
      if (i === units) {
        this.varint(units);
        return;
      }
      this.#start += units;
    }
    const size = Buffer.byteLength(value);
    const at = this.#reserve(size);
    this.#buffer.write(value, at, size, "utf8");
    this.varint(size);
  }

  /** Bytes with their length before them. */
  lengthPrefixed(bytes: Uint8Array): void {
    this.bytes(bytes);
    this.varint(bytes.length);
  }

  /** A part of a buffer, as it is. */
  range(source: Buffer, start: number, end: number): void {
    const size = end - start;
    const at = this.#reserve(size);
    const buffer = this.#buffer;
    if (size < SHORT) for (let i = 0; i < size; i++) buffer[at + i] = source[start + i] as number;
    else source.copy(buffer, at, start, end);
  }

  bytes(bytes: ArrayLike<number>): void {
    const at = this.#reserve(bytes.length);
    this.#buffer.set(bytes, at);
  }

  /** A copy of what was written, in memory of its own; the writer is empty again and keeps its space. */
  take(): Buffer {
    const written = Buffer.allocUnsafeSlow(this.length);
    this.#buffer.copy(written, 0, this.#start);
    this.#start = this.#buffer.length;
    return written;
  }

  /** `take` of a few bytes that are soon copied: they share memory with other small buffers. */
  takeSmall(): Buffer {
    const written = Buffer.from(this.#buffer.subarray(this.#start));
    this.#start = this.#buffer.length;
    return written;
  }

  /** Forgets what was written, for instance after an error. */
  reset(): void {
    this.#start = this.#buffer.length;
  }
}

/** Below this a loop over characters beats the call into the runtime. */
const SHORT = 64;
