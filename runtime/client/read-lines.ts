const NEWLINE = 0x0a;
/** Limit for one line. No object that a server stores is as long. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;
/** Maximum size of the buffer that is kept for the next line that arrives in parts. */
const KEPT_BYTES = 1024 * 1024;

/** Receives a line without its newline. The bytes are valid during the call only. */
type TakeLine = (bytes: Buffer, from: number, to: number) => void;

/**
 * Splits a stream into lines. Skips blank lines, and an incomplete line at the end, where the connection was cut. Lines within one chunk are not
 * copied; a line that arrives in parts is assembled in a buffer.
 */
export class LineReader {
  readonly #take: TakeLine;
  #parts = Buffer.allocUnsafe(0);
  #length = 0;

  constructor(take: TakeLine) {
    this.#take = take;
  }

  push(chunk: Buffer): void {
    let start = 0;
    let end = chunk.indexOf(NEWLINE);
    if (this.#length > 0 && end !== -1) {
      this.#append(chunk, 0, end);
      const length = this.#length;
      this.#length = 0;
      this.#take(this.#parts, 0, length);
      if (this.#parts.length > KEPT_BYTES) this.#parts = Buffer.allocUnsafe(0);
      start = end + 1;
      end = chunk.indexOf(NEWLINE, start);
    }
    for (; end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      if (end > start) this.#take(chunk, start, end);
      start = end + 1;
    }
    this.#append(chunk, start, chunk.length);
  }

  #append(chunk: Buffer, from: number, to: number): void {
    const length = this.#length + to - from;
    if (length > MAX_LINE_BYTES) throw new RangeError(`a line of the stream is longer than ${MAX_LINE_BYTES} bytes`);
    if (length > this.#parts.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(length * 2, 64 * 1024));
      this.#parts.copy(larger, 0, 0, this.#length);
      this.#parts = larger;
    }
    chunk.copy(this.#parts, this.#length, from, to);
    this.#length = length;
  }
}
