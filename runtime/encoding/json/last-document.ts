const PLACE_BITS = 11;
const PLACES = 1 << PLACE_BITS;
/** Minimum length of values that are recorded. */
const SHORTEST = 24;
/** For fewer bytes than this, a loop is faster than a call into the runtime. */
const SHORT = 256;
/**
 * Limit for comparisons, as a multiple of the document's size. Without it, nested values that differ only near their ends would take quadratic
 * time.
 */
const MOST_COMPARED = 4;
/** Distributes paths over slots: 2^32 divided by the golden ratio. */
const SPREAD = 0x9e3779b1;

/** Returns the slot of a path hash. Never 0. */
export function placeOf(path: number): number {
  return (Math.imul(path, SPREAD) >>> (32 - PLACE_BITS)) | 1;
}

interface RangeWriter {
  range(source: Buffer, start: number, end: number): void;
}

/**
 * The last document that was read: its objects and lists by path, and the bytes that were written for them. Consecutive objects of a list are
 * similar, such as the pods of a Deployment. A value that is unchanged at the same path is neither read nor written again.
 *
 * Paths may share a slot. A value is therefore found only if its bytes are equal, and reused only by the writer that wrote it.
 */
export class LastDocument {
  readonly #json: Buffer;
  #written: Buffer = Buffer.alloc(0);
  /** Number of the last document. */
  #number = 1;
  /** Number of bytes of the current document that may still be compared. */
  #comparable = 0;
  readonly #numbers = new Float64Array(PLACES);
  readonly #starts = new Int32Array(PLACES);
  readonly #ends = new Int32Array(PLACES);
  /** Offset of the first differing byte that the last comparison found. */
  readonly #differences = new Int32Array(PLACES);
  readonly #writers = new Int32Array(PLACES);
  /** `#from` and `#to` are counted from the end of the written bytes. */
  readonly #from = new Int32Array(PLACES);
  readonly #to = new Int32Array(PLACES);

  /** Creates a record for documents of at most this many bytes. */
  constructor(mostBytes: number) {
    this.#json = Buffer.allocUnsafeSlow(mostBytes);
  }

  /** Begins a document of this size. */
  begin(bytes: number): void {
    this.#comparable = bytes * MOST_COMPARED;
  }

  /** Returns the end of the object or list that begins at `at` if the last document has an equal one in this slot, or -1. */
  endOf(place: number, json: Buffer, at: number): number {
    if (this.#numbers[place] !== this.#number) return -1;
    const start = this.#starts[place] as number;
    const size = (this.#ends[place] as number) - start;
    const end = at + size;
    const last = this.#json;
    // If the bytes of one JSON object or list are a prefix of another, both are equal. The offset of the last difference is compared first.
    if (end > json.length || json[end - 1] !== last[start + size - 1]) return -1;
    const likely = this.#differences[place] as number;
    if (likely < size && json[at + likely] !== last[start + likely]) return -1;
    if (this.#comparable < size) return -1;
    this.#comparable -= size;
    if (size >= SHORT && json.compare(last, start, start + size, at, end) === 0) return end;
    for (let i = 0; i < size; i++) {
      if (json[at + i] === last[start + i]) continue;
      this.#differences[place] = i;
      return -1;
    }
    return end;
  }

  /**
   * Records that the value from `start` to `end` of the current document was written. `from` and `to` are the number of bytes written before and
   * after it.
   */
  note(place: number, writer: number, start: number, end: number, from: number, to: number): void {
    if (end - start < SHORTEST) return;
    this.#numbers[place] = this.#number + 1;
    this.#writers[place] = writer;
    this.#starts[place] = start;
    this.#ends[place] = end;
    this.#from[place] = from;
    this.#to[place] = to;
  }

  /** Copies what a writer has written for the value in a slot. Returns false if a different writer wrote it. */
  copy(place: number, writer: number, out: RangeWriter): boolean {
    if (this.#numbers[place] !== this.#number || this.#writers[place] !== writer) return false;
    const { length } = this.#written;
    out.range(this.#written, length - (this.#to[place] as number), length - (this.#from[place] as number));
    return true;
  }

  /** Makes the current document the last one. */
  replace(json: Buffer, written: Buffer): void {
    json.copy(this.#json);
    this.#written = written;
    this.#number++;
  }

  /** Discards all records, including those of the current document. */
  forget(): void {
    this.#number += 2;
  }
}
