const SLAB_BYTES = 64 * 1024;
const [COMMA, CLOSE_BRACE] = [0x2c, 0x7d];

/** Parts of received bytes, in order. Those that only a comma separates are one. */
export class Ranges {
  /** Beginnings and ends. */
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

  /** Bytes, with commas between the parts. */
  get size(): number {
    return this.#size;
  }

  /** Returns where the copy ends. */
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
  /** Bytes of pieces that have not been released. */
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

/** The name of a member whose value is parsed when it is read. */
export interface MemberName {
  readonly name: string;
  /** With its quotes and the colon. */
  readonly bytes: Uint8Array;
  /** The same for all objects, so that those of a kind share their shape. */
  readonly accessor: PropertyDescriptor;
}

/** The members of an object and of its metadata that are kept as JSON, in their order. */
export interface Shape {
  readonly metadataNames: readonly MemberName[];
  readonly names: readonly MemberName[];
}

/** How the JSON of one object is divided: offsets in it. */
export interface PieceLayout {
  readonly shape: Shape;
  /** Members of the metadata that follow its resourceVersion begin here, with that of this index. */
  readonly later: number;
  readonly laterIndex: number;
  /** The first member that is not of the metadata ends here. */
  readonly firstEnd: number;
}

/** JSON of one object: members of its metadata, and its other members. Stays readable after it was released. */
export class Piece {
  slab!: Slab;
  from = 0;
  /** Among the pieces of its slab; -1 after it was released. */
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

  /** Where the members of the metadata after its resourceVersion end, if these bytes repeat them; -1 if not. */
  endOfSameMetadata(bytes: Buffer, at: number, limit: number): number {
    return this.#endOfSame(bytes, at, limit, this.#later, this.#metadataEnd);
  }

  /** Where the first member that is not of the metadata ends, if these bytes repeat it; -1 if not. */
  endOfSameMember(bytes: Buffer, at: number, limit: number): number {
    return this.#endOfSame(bytes, at, limit, this.#metadataEnd, this.#firstEnd);
  }

  #endOfSame(bytes: Buffer, at: number, limit: number, from: number, to: number): number {
    const end = at + to - from;
    // A number might go on.
    if (to <= from || end >= limit || (bytes[end] !== COMMA && bytes[end] !== CLOSE_BRACE)) return -1;
    return this.slab.bytes.compare(bytes, at, end, this.from + from, this.from + to) === 0 ? end : -1;
  }
}

/** One slab of so many is counted by the garbage collector. */
const COUNTED = 4;

/**
 * Keeps the JSON of objects in slabs outside of the heap of V8, whose garbage collector would otherwise copy and sweep it. A slab is freed when
 * nothing refers to it. One of which less than a quarter is in use is left: what is in use is copied to another, so that no more than
 * four times the memory is taken whatever the order in which objects change, and little is copied.
 *
 * V8 marks all objects of the process whenever some megabytes of buffers were allocated, however small its heap is. It does not count shared
 * buffers: most slabs are such, and the others make sure that it collects in time.
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

  /** The object changed or is gone: its JSON will not be needed for long. */
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
    // What was in use may have been copied to it.
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
