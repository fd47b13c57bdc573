import type { ServedResource } from "../../kinds/served-resource.ts";

/** A frame, or part of one, in pieces that are not joined yet. */
export type Pieces = readonly Uint8Array[];

/**
 * Size of the first block of a log. A block that fills up within FAST_MS is followed by one of twice its size, any other block by one of
 * half its size: the block of a kind that rarely changes stays in memory as long as the last event in it.
 */
const SMALLEST_BLOCK_BYTES = 8 * 1024;
const LARGEST_BLOCK_BYTES = 256 * 1024;
const FAST_MS = 1000;
/** Frames of at least this size get memory of their own, because a write contains few of them. */
const LARGE_FRAME_BYTES = 64 * 1024;

/**
 * Memory for the frames of one resource in one representation. Consecutive frames are adjacent in memory: a watch that is sent several of
 * them is sent a part of a block, without copying. A block stays in memory as long as one of its frames.
 */
export class FrameLog {
  readonly #monotonic: () => number;
  /** Weak, because frames that are in use keep their block in memory. */
  #block: WeakRef<ArrayBuffer> | undefined;
  #end = 0;
  #begunAt = 0;

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
  }

  append(pieces: Pieces): Uint8Array {
    const bytes = lengthOf(pieces);
    if (bytes >= LARGE_FRAME_BYTES) return copied(pieces, Buffer.allocUnsafeSlow(bytes));
    let block = this.#block?.deref();
    if (block === undefined || this.#end + bytes > block.byteLength) block = this.#newBlock(block, bytes);
    const frame = Buffer.from(block, this.#end, bytes);
    this.#end += bytes;
    return copied(pieces, frame);
  }

  #newBlock(full: ArrayBuffer | undefined, least: number): ArrayBuffer {
    const now = this.#monotonic();
    const wanted = (full?.byteLength ?? 0) * (now - this.#begunAt < FAST_MS ? 2 : 0.5);
    const size = Math.min(Math.max(wanted, SMALLEST_BLOCK_BYTES), LARGEST_BLOCK_BYTES);
    const block = Buffer.allocUnsafeSlow(Math.max(size, least)).buffer as ArrayBuffer;
    this.#begunAt = now;
    this.#block = new WeakRef(block);
    this.#end = 0;
    return block;
  }
}

export function lengthOf(pieces: Pieces): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}

/** Copies the pieces into the frame, and returns it. */
function copied(pieces: Pieces, frame: Buffer): Uint8Array {
  let end = 0;
  for (const piece of pieces) {
    frame.set(piece, end);
    end += piece.length;
  }
  return frame;
}

/** The frame logs of all resources. */
export class FrameLogs {
  readonly #logs = new WeakMap<ServedResource, Map<string, FrameLog>>();
  readonly #monotonic: () => number;

  /** `monotonic` returns milliseconds of a monotonic clock. */
  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
  }

  /** The log for frames with this name. */
  of(resource: ServedResource, name: string): FrameLog {
    const logs = this.#logs.get(resource) ?? new Map<string, FrameLog>();
    this.#logs.set(resource, logs);
    const log = logs.get(name) ?? new FrameLog(this.#monotonic);
    logs.set(name, log);
    return log;
  }
}
