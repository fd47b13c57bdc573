import { Chunk, type ChunkSource } from "./chunk-writer.ts";

/** Bodies are sent in chunks of this size: each costs a call into TLS and the kernel. */
const CHUNK_BYTES = 128 * 1024;
/** Bodies up to this size have one chunk of their own, which is not returned to the pool. */
const SMALL_BODY_BYTES = 16 * 1024;
const SMALLEST_CHUNK_BYTES = 2 * 1024;
/** How many unused chunks are kept. */
const MOST_KEPT = 16;

/** Memory for the bodies of all responses: allocated large and often, it would keep the garbage collector busy. */
export class ChunkPool implements ChunkSource {
  readonly chunkBytes = CHUNK_BYTES;
  readonly #free: Chunk[] = [];

  /** Chunks that suit a body of about this size. */
  chunksFor(size: number): ChunkSource {
    if (size > SMALL_BODY_BYTES) return this;
    const chunkBytes = Math.max(size, SMALLEST_CHUNK_BYTES);
    return { chunkBytes, take: () => new Chunk(chunkBytes), giveBack: () => undefined };
  }

  take(): Chunk {
    return this.#free.pop() ?? new Chunk(CHUNK_BYTES);
  }

  giveBack(chunk: Chunk): void {
    if (this.#free.length >= MOST_KEPT) return;
    chunk.clear();
    this.#free.push(chunk);
  }
}
