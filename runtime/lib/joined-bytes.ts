/**
 * Joins bytes that arrive in pieces. They are copied immediately: a peer may send a megabyte in pieces of one byte, and each piece takes hundreds
 * of bytes, or keeps the whole buffer in memory with which it arrived.
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

  /** Returns all bytes so far. */
  joined(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }
}
