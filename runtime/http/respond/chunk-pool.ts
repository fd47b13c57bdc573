import { Chunk, type ChunkSource } from "./chunk-writer.ts";

/** Chunk size of most bodies. Each chunk costs a call into TLS and the kernel. */
const CHUNK_BYTES = 128 * 1024;
/** A body up to this size gets a single chunk, which is not returned to the pool. */
const SMALL_BODY_BYTES = 16 * 1024;
const SMALLEST_CHUNK_BYTES = 2 * 1024;
/** Bodies above this size are sent in larger chunks: TLS sends one chunk per turn of the event loop, however fast the client reads. */
export const LARGE_BODY_BYTES = 4 * 1024 * 1024;
const LARGE_CHUNK_BYTES = 512 * 1024;
/** Maximum number of unused chunks that are kept, for each size. */
const MOST_KEPT = 16;
const MOST_LARGE_KEPT = 4;

/** Memory for the bodies of all responses. Frequent large allocations would keep the garbage collector busy. */
export class ChunkPool {
  readonly #chunks = new FreeChunks(CHUNK_BYTES, MOST_KEPT);
  readonly #large = new FreeChunks(LARGE_CHUNK_BYTES, MOST_LARGE_KEPT);

  /** Returns a source of chunks for a body of about this size. */
  chunksFor(size: number): ChunkSource {
    if (size > LARGE_BODY_BYTES) return this.#large;
    if (size > SMALL_BODY_BYTES) return this.#chunks;
    const chunkBytes = Math.max(size, SMALLEST_CHUNK_BYTES);
    return { chunkBytes, take: () => new Chunk(chunkBytes), giveBack: () => undefined };
  }
}

class FreeChunks implements ChunkSource {
  readonly chunkBytes: number;
  readonly #mostKept: number;
  readonly #free: Chunk[] = [];

  constructor(chunkBytes: number, mostKept: number) {
    this.chunkBytes = chunkBytes;
    this.#mostKept = mostKept;
  }

  take(): Chunk {
    return this.#free.pop() ?? new Chunk(this.chunkBytes);
  }

  giveBack(chunk: Chunk): void {
    if (this.#free.length >= this.#mostKept) return;
    chunk.clear();
    this.#free.push(chunk);
  }
}
