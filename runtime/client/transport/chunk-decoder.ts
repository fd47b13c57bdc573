import { ConnectionError } from "../api-error.ts";

const [CR, LF, SEMICOLON, SPACE, TAB] = [0x0d, 0x0a, 0x3b, 0x20, 0x09];
/** Longer than any chunk size needs, and still exact as a number. */
const MAX_SIZE_DIGITS = 12;

/** The expected next byte. A trailer is a line after the last chunk; an empty line ends the body. */
type State = "size" | "extension" | "size LF" | "data" | "data CR" | "data LF" | "trailer" | "trailer line" | "last LF";

/** Finds the data in a body with chunked transfer coding (RFC 9112, section 7.1), as its bytes arrive. */
export class ChunkDecoder {
  #state: State = "size";
  #digits = 0;
  #left = 0;
  #isDone = false;

  /** Whether the body is complete. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /** Number of data bytes of the current chunk that are not skipped yet. */
  get left(): number {
    return this.#left;
  }

  /**
   * Returns the offset of the next data byte, at `from` or later. Returns the length of `bytes` if they contain no more data, or at the end of the
   * body.
   */
  seek(bytes: Uint8Array, from: number): number {
    for (let at = from; at < bytes.length; at++) {
      if (this.#state === "data") return at;
      if (this.#isDone) break;
      this.#next(bytes[at] as number);
    }
    return bytes.length;
  }

  /** Skips `count` data bytes, at most `left`. */
  skip(count: number): void {
    this.#left -= count;
    if (this.#left === 0) this.#state = "data CR";
  }

  #next(code: number): void {
    switch (this.#state) {
      case "size":
        return this.#size(code);
      case "extension":
        if (code === CR) this.#state = "size LF";
        else if (code === LF) throw malformed();
        return;
      case "size LF":
        return this.#expect(code, LF, this.#left === 0 ? "trailer" : "data");
      case "data CR":
        return this.#expect(code, CR, "data LF");
      case "data LF":
        this.#digits = 0;
        return this.#expect(code, LF, "size");
      case "trailer":
        this.#state = code === CR ? "last LF" : "trailer line";
        return;
      case "trailer line":
        if (code === LF) this.#state = "trailer";
        return;
      case "last LF":
        this.#expect(code, LF, "size");
        this.#isDone = true;
    }
  }

  #size(code: number): void {
    const digit = hexDigit(code);
    if (digit !== -1) {
      if (++this.#digits > MAX_SIZE_DIGITS) throw malformed();
      this.#left = this.#left * 16 + digit;
      return;
    }
    if (this.#digits === 0) throw malformed();
    if (code === CR) this.#state = "size LF";
    else if (code === SEMICOLON || code === SPACE || code === TAB) this.#state = "extension";
    else throw malformed();
  }

  #expect(code: number, expected: number, next: State): void {
    if (code !== expected) throw malformed();
    this.#state = next;
  }
}

function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x61 + 10 : -1;
}

function malformed(): ConnectionError {
  return new ConnectionError("the response is not in chunks, as its header says");
}
