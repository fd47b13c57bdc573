const FIRST_CHUNK_BYTES = 4 * 1024;
const LARGEST_CHUNK_BYTES = 64 * 1024;

/** Returns a buffer of the given size. */
export type AllocateBytes = (size: number) => Buffer;

/**
 * Returns an allocator that cuts many small buffers from few large ones, which is several times cheaper than allocating each. In return, a chunk
 * stays in memory as long as any of its buffers is referenced. Chunks grow with demand, because most kinds have few objects.
 */
export function newByteArena(): AllocateBytes {
  let chunk = Buffer.alloc(0);
  let offset = 0;
  let chunkBytes = FIRST_CHUNK_BYTES;
  return (size) => {
    if (size > LARGEST_CHUNK_BYTES / 4) return Buffer.allocUnsafeSlow(size);
    if (offset + size > chunk.length) {
      while (chunkBytes < size) chunkBytes *= 2;
      chunk = Buffer.allocUnsafeSlow(chunkBytes);
      chunkBytes = Math.min(chunkBytes * 2, LARGEST_CHUNK_BYTES);
      offset = 0;
    }
    const bytes = chunk.subarray(offset, offset + size);
    offset += size;
    return bytes;
  };
}

/** Returns an allocator that reuses the same memory, for bytes that are needed only until the next call. */
export function newScratch(): AllocateBytes {
  let scratch = Buffer.alloc(0);
  return (size) => {
    // One extra byte, so that the bytes never fill their memory completely, as bytes with their own memory do.
    if (scratch.length <= size) scratch = Buffer.allocUnsafeSlow(size * 2 + 1);
    return scratch.subarray(0, size);
  };
}
