/**
 * Bytes that arrive in pieces. They are copied together at once: a peer may send a megabyte in pieces of one byte, and a piece takes hundreds of
 * bytes, or keeps all that it arrived with.
 */
export class JoinedBytes {
  #bytes: Buffer = Buffer.alloc(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(piece: Buffer): void {
    const length = this.#length + piece.length;
    if (length > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(length, 2 * this.#bytes.length));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    piece.copy(this.#bytes, this.#length);
    this.#length = length;
  }

  /** All bytes so far. */
  joined(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }
}
