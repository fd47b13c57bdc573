/**
 * Writes protobuf from back to front, so that the length of a message is known when its header is written: contents first, then the length, then
 * the tag. Fields must therefore be written in descending order.
 */
export class WireWriter {
  #buffer: Buffer;
  /** Index of the first byte written. */
  #start: number;

  constructor(capacity = 4096) {
    this.#buffer = Buffer.allocUnsafe(capacity);
    this.#start = capacity;
  }

  /** Number of bytes written so far. The length of a message is the difference of two readings. */
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

  /** Writes a whole number from 0 to 2^53. */
  varint(value: number): void {
    if (value < 0x80) {
      // Not a single expression: that would read `#buffer` before it is reallocated.
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

  /** Writes a signed number. Negative numbers take ten bytes. */
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

  /** Writes a string, preceded by its length. */
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

  /** Writes bytes, preceded by their length. */
  lengthPrefixed(bytes: Uint8Array): void {
    this.bytes(bytes);
    this.varint(bytes.length);
  }

  /** Writes a range of a buffer unchanged. */
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

  /** Returns a copy of the written bytes in its own memory. Resets the writer, which keeps its buffer. */
  take(): Buffer {
    const written = Buffer.allocUnsafeSlow(this.length);
    this.#buffer.copy(written, 0, this.#start);
    this.#start = this.#buffer.length;
    return written;
  }

  /** Like `take`, for a few bytes that are copied soon: they share memory with other small buffers. */
  takeSmall(): Buffer {
    const written = Buffer.from(this.#buffer.subarray(this.#start));
    this.#start = this.#buffer.length;
    return written;
  }

  /** Discards the written bytes, for example after an error. */
  reset(): void {
    this.#start = this.#buffer.length;
  }
}

/** For fewer characters than this, a loop is faster than a call into the runtime. */
const SHORT = 64;
