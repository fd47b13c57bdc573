const CHUNK_BYTES = 64 * 1024;

/** Hands out room for bytes. */
export type AllocateBytes = (size: number) => Buffer;

/**
 * Hands out many small buffers from few large ones, which is several times cheaper than allocating each. The price: a
 * chunk stays in memory as long as any of its buffers is held.
 */
export function newByteArena(): AllocateBytes {
  let chunk = Buffer.alloc(0);
  let offset = 0;
  return (size) => {
    if (size > CHUNK_BYTES / 4) return Buffer.allocUnsafeSlow(size);
    if (offset + size > chunk.length) {
      chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
      offset = 0;
    }
    const bytes = chunk.subarray(offset, offset + size);
    offset += size;
    return bytes;
  };
}
