import type { ServedResource } from "../../kinds/served-resource.ts";
import { lengthOf, type Pieces } from "./frame-pieces.ts";

/**
 * A log begins with a block of the smallest size. A block that was full within this time is followed by one of twice its size, others by one of
 * half their size: a block of a kind that rarely changes stays as long as the last event in it.
 */
const SMALLEST_BLOCK_BYTES = 8 * 1024;
const LARGEST_BLOCK_BYTES = 256 * 1024;
const FAST_MS = 1000;
/** Frames from this size on have memory of their own: a write holds few of them. */
const LARGE_FRAME_BYTES = 64 * 1024;

/**
 * Memory for the frames of one resource in one form. Frames that are made one after the other lie one after the other, so that watches which are
 * sent several of them are sent a part of a block, without a copy. A block lives as long as one of its frames.
 */
export class FrameLog {
  readonly #monotonic: () => number;
  #block: WeakRef<Buffer> | undefined;
  #end = 0;
  #begunAt = 0;

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
  }

  append(pieces: Pieces): Uint8Array {
    const bytes = lengthOf(pieces);
    if (bytes >= LARGE_FRAME_BYTES) return copied(pieces, Buffer.allocUnsafeSlow(bytes), 0);
    const start = this.#end;
    const block = this.#block?.deref();
    if (block !== undefined && start + bytes <= block.length) {
      this.#end += bytes;
      return copied(pieces, block, start);
    }
    const next = Buffer.allocUnsafeSlow(Math.max(this.#nextSize(block), bytes));
    this.#block = new WeakRef(next);
    this.#end = bytes;
    return copied(pieces, next, 0);
  }

  #nextSize(full: Buffer | undefined): number {
    const now = this.#monotonic();
    const factor = now - this.#begunAt < FAST_MS ? 2 : 0.5;
    this.#begunAt = now;
    return Math.min(Math.max(factor * (full?.length ?? 0), SMALLEST_BLOCK_BYTES), LARGEST_BLOCK_BYTES);
  }
}

/** The pieces, copied into a block from `start` on. */
function copied(pieces: Pieces, block: Buffer, start: number): Uint8Array {
  let end = start;
  for (const piece of pieces) {
    block.set(piece, end);
    end += piece.length;
  }
  return block.subarray(start, end);
}

/** The logs of all resources. */
export class FrameLogs {
  readonly #logs = new WeakMap<ServedResource, Map<string, FrameLog>>();
  readonly #monotonic: () => number;

  /** Given the milliseconds of a monotonic clock. */
  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
  }

  /** The log of the frames that have this name. */
  of(resource: ServedResource, name: string): FrameLog {
    const logs = this.#logs.get(resource) ?? new Map<string, FrameLog>();
    this.#logs.set(resource, logs);
    const log = logs.get(name) ?? new FrameLog(this.#monotonic);
    logs.set(name, log);
    return log;
  }
}
