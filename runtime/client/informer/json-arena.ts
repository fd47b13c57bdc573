const SLAB_BYTES = 64 * 1024;
const [COMMA, CLOSE_BRACE] = [0x2c, 0x7d];

/** Ranges of received bytes, in order. Ranges that only a comma separates are merged. */
export class Ranges {
  /** Alternating starts and ends. */
  readonly #ends: number[] = [];
  #count = 0;
  #size = 0;

  clear(): void {
    this.#count = 0;
    this.#size = 0;
  }

  add(from: number, to: number): void {
    const count = this.#count;
    if (count > 0 && this.#ends[count - 1] === from - 1) {
      this.#ends[count - 1] = to;
      this.#size += to - from + 1;
      return;
    }
    this.#ends[count] = from;
    this.#ends[count + 1] = to;
    this.#size += to - from + (count > 0 ? 1 : 0);
    this.#count = count + 2;
  }

  /** Number of bytes, including commas between the ranges. */
  get size(): number {
    return this.#size;
  }

  /** Copies the ranges to `target` with commas between them. Returns the offset after the copy. */
  copy(bytes: Buffer, target: Buffer, at: number): number {
    let end = at;
    for (let index = 0; index < this.#count; index += 2) {
      if (index > 0) target[end++] = COMMA;
      end += bytes.copy(target, end, this.#ends[index], this.#ends[index + 1]);
    }
    return end;
  }
}

class Slab {
  readonly bytes: Buffer;
  used = 0;
  /** Bytes of pieces that are not released yet. */
  live = 0;
  readonly pieces: Piece[] = [];

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  add(piece: Piece): void {
    const { size } = piece;
    piece.slab = this;
    piece.from = this.used;
    piece.index = this.pieces.length;
    this.pieces.push(piece);
    this.used += size;
    this.live += size;
  }

  remove(piece: Piece): void {
    const last = this.pieces.pop() as Piece;
    if (last !== piece) {
      this.pieces[piece.index] = last;
      last.index = piece.index;
    }
    piece.index = -1;
    this.live -= piece.size;
  }
}

/** Name of a member whose value is parsed on first access. */
export interface MemberName {
  readonly name: string;
  /** Encoded with quotes and colon. */
  readonly bytes: Uint8Array;
  /** One descriptor for all objects, so that objects of a kind share their hidden class. */
  readonly accessor: PropertyDescriptor;
}

/** Names of the members that are kept as JSON, of the metadata and of the object itself, in order. */
export interface Shape {
  readonly metadataNames: readonly MemberName[];
  readonly names: readonly MemberName[];
}

/** How the JSON of one object is divided, as byte offsets. */
export interface PieceLayout {
  readonly shape: Shape;
  /** Start offset of the metadata members after resourceVersion, and the index of the first of them. */
  readonly later: number;
  readonly laterIndex: number;
  /** End offset of the first member outside the metadata. */
  readonly firstEnd: number;
}

/** JSON of one object: its metadata members, then its other members. Remains readable after its release. */
export class Piece {
  slab!: Slab;
  from = 0;
  /** Index among the pieces of its slab; -1 after its release. */
  index = -1;
  readonly shape: Shape;
  readonly size: number;
  readonly laterIndex: number;
  readonly #later: number;
  readonly #metadataEnd: number;
  readonly #firstEnd: number;

  constructor({ shape, later, laterIndex, firstEnd }: PieceLayout, metadataEnd: number, size: number) {
    this.shape = shape;
    this.size = size;
    this.laterIndex = laterIndex;
    this.#later = later;
    this.#metadataEnd = metadataEnd;
    this.#firstEnd = firstEnd;
  }

  get metadata(): string {
    return this.slab.bytes.toString("utf8", this.from, this.from + this.#metadataEnd);
  }

  get rest(): string {
    return this.slab.bytes.toString("utf8", this.from + this.#metadataEnd, this.from + this.size);
  }

  /** If the bytes at `at` repeat the metadata members after resourceVersion, returns the offset where they end; otherwise -1. */
  endOfSameMetadata(bytes: Buffer, at: number, limit: number): number {
    return this.#endOfSame(bytes, at, limit, this.#later, this.#metadataEnd);
  }

  /** If the bytes at `at` repeat the first member outside the metadata, returns the offset where it ends; otherwise -1. */
  endOfSameMember(bytes: Buffer, at: number, limit: number): number {
    return this.#endOfSame(bytes, at, limit, this.#metadataEnd, this.#firstEnd);
  }

  #endOfSame(bytes: Buffer, at: number, limit: number, from: number, to: number): number {
    const end = at + to - from;
    // Without a delimiter the match is not certain: a number might continue.
    if (to <= from || end >= limit || (bytes[end] !== COMMA && bytes[end] !== CLOSE_BRACE)) return -1;
    return this.slab.bytes.compare(bytes, at, end, this.from + from, this.from + to) === 0 ? end : -1;
  }
}

/** One in this many slabs is allocated in memory that the garbage collector counts. */
const COUNTED = 4;

/**
 * Keeps the JSON of objects in slabs outside of the V8 heap, where the garbage collector would copy and sweep it. A slab is freed when nothing refers
 * to it. If less than a quarter of a slab is in use, its live pieces are copied to another slab. So the slabs need at most four times the memory of
 * the live pieces, whatever the order of changes, and little is copied.
 *
 * V8 marks all objects of the process after each few megabytes of allocated buffers, even if its heap is small. It does not count shared buffers:
 * therefore most slabs are shared buffers. The others ensure that garbage collection still runs in time.
 */
export class JsonArena {
  #current = new Slab(Buffer.allocUnsafeSlow(SLAB_BYTES));
  #slabs = 0;

  keep(bytes: Buffer, metadata: Ranges, rest: Ranges, layout: PieceLayout): Piece {
    const piece = new Piece(layout, metadata.size, metadata.size + rest.size);
    const slab = this.#slabFor(piece.size);
    slab.add(piece);
    rest.copy(bytes, slab.bytes, metadata.copy(bytes, slab.bytes, piece.from));
    return piece;
  }

  /** Releases the piece of an object that changed or was removed: its JSON is not needed for long. */
  release(piece: Piece): void {
    if (piece.index === -1) return;
    const { slab } = piece;
    slab.remove(piece);
    if (slab !== this.#current) this.#leaveIfSparse(slab);
  }

  #slabFor(size: number): Slab {
    if (size > SLAB_BYTES / 4) return new Slab(Buffer.allocUnsafeSlow(size));
    const before = this.#current;
    if (before.used + size <= SLAB_BYTES) return before;
    const isCounted = this.#slabs++ % COUNTED === 0;
    this.#current = new Slab(
      isCounted ? Buffer.allocUnsafeSlow(SLAB_BYTES) : Buffer.from(new SharedArrayBuffer(SLAB_BYTES)),
    );
    this.#leaveIfSparse(before);
    // Moving live pieces may have filled the new slab.
    return this.#slabFor(size);
  }

  #leaveIfSparse(slab: Slab): void {
    if (slab.live * 4 >= slab.bytes.length) return;
    for (const piece of slab.pieces.splice(0)) {
      const { from, size } = piece;
      const target = this.#slabFor(size);
      target.add(piece);
      slab.bytes.copy(target.bytes, piece.from, from, from + size);
    }
    slab.live = 0;
  }
}
