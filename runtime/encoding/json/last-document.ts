const PLACE_BITS = 11;
const PLACES = 1 << PLACE_BITS;
/** Shorter values are not worth remembering. */
const SHORTEST = 24;
/** Below this a loop over bytes beats the call into the runtime. */
const SHORT = 256;
/** So many times the bytes of a document are compared at most: where values in values differ at their ends, it would be its square. */
const MOST_COMPARED = 4;
/** Spreads paths over places: 2^32 divided by the golden ratio. */
const SPREAD = 0x9e3779b1;

/** The place of a path, given by its hash; never 0. */
export function placeOf(path: number): number {
  return (Math.imul(path, SPREAD) >>> (32 - PLACE_BITS)) | 1;
}

interface RangeWriter {
  range(source: Buffer, start: number, end: number): void;
}

/**
 * The document that was read last, its objects and lists by their paths, and what they were written as. Objects that follow each other in a
 * list resemble each other, as pods of one Deployment do: what is the same at the same path is neither read nor written again.
 *
 * Paths may share a place. So a value is only found where its bytes are the same, and only used where the same writer asks for it.
 */
export class LastDocument {
  readonly #json: Buffer;
  #written: Buffer = Buffer.alloc(0);
  /** Counts documents: that of the last one. */
  #number = 1;
  /** Bytes that may still be compared with the present document. */
  #comparable = 0;
  readonly #numbers = new Float64Array(PLACES);
  readonly #starts = new Int32Array(PLACES);
  readonly #ends = new Int32Array(PLACES);
  /** Where values were found to differ, counted from their beginning. */
  readonly #differences = new Int32Array(PLACES);
  readonly #writers = new Int32Array(PLACES);
  /** Counted from the end of what was written. */
  readonly #from = new Int32Array(PLACES);
  readonly #to = new Int32Array(PLACES);

  /** For documents of at most this many bytes. */
  constructor(mostBytes: number) {
    this.#json = Buffer.allocUnsafeSlow(mostBytes);
  }

  /** A document of so many bytes is read. */
  begin(bytes: number): void {
    this.#comparable = bytes * MOST_COMPARED;
  }

  /** Where the object or list that begins at `at` ends, if it is that of the last document at this place; -1 otherwise. */
  endOf(place: number, json: Buffer, at: number): number {
    if (this.#numbers[place] !== this.#number) return -1;
    const start = this.#starts[place] as number;
    const size = (this.#ends[place] as number) - start;
    const end = at + size;
    const last = this.#json;
    // Where one JSON object or list begins with the bytes of another, it is the other. Most differ where they differed before.
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

  /** The value from `start` to `end` of the present document was written. `from` is what was written before it, `to` the same with it. */
  note(place: number, writer: number, start: number, end: number, from: number, to: number): void {
    if (end - start < SHORTEST) return;
    this.#numbers[place] = this.#number + 1;
    this.#writers[place] = writer;
    this.#starts[place] = start;
    this.#ends[place] = end;
    this.#from[place] = from;
    this.#to[place] = to;
  }

  /** Copies what a writer has written for the value that was found at a place; false if another one has. */
  copy(place: number, writer: number, out: RangeWriter): boolean {
    if (this.#numbers[place] !== this.#number || this.#writers[place] !== writer) return false;
    const { length } = this.#written;
    out.range(this.#written, length - (this.#to[place] as number), length - (this.#from[place] as number));
    return true;
  }

  /** The present document becomes the last one. */
  replace(json: Buffer, written: Buffer): void {
    json.copy(this.#json);
    this.#written = written;
    this.#number++;
  }

  /** Nothing is found until a document has become the last one. */
  forget(): void {
    this.#number += 2;
  }
}
