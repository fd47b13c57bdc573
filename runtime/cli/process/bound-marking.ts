import { getHeapStatistics } from "node:v8";
import type { Clock } from "../../lib/clock.ts";
import { setEngineFlag } from "./engine-flags.ts";

const LOOK_EVERY_MS = 500;
/** From here on, the 64 MiB after which V8 looks through everything are less than an eighth of what it holds. */
const LARGE_BYTES = 512 * 1024 * 1024;
/** Older ones do not know the flag. */
const FIRST_NODE = 24;

export interface BufferMemory {
  /** Memory of buffers, outside the heap. */
  bytes(): number;
  /** Buffers are collected with the heap, once both together have grown by a part of what they were. */
  collectWithHeap(together: boolean): void;
}

/**
 * V8 looks through the whole heap whenever buffers have grown by 64 MiB, and hurries: it marks for up to 10 ms at each new buffer. With
 * gigabytes of buffers that is every few seconds, and no request is answered for half a second. A process with that much gets along with fewer
 * collections that other threads do beside it. Returns how to stop.
 */
export function boundMarking(clock: Clock, buffers: BufferMemory = ofThisProcess()): () => void {
  let together = false;
  let cancel = (): void => undefined;
  const look = (): void => {
    const isLarge = buffers.bytes() >= LARGE_BYTES;
    if (isLarge !== together) buffers.collectWithHeap(isLarge);
    together = isLarge;
    cancel = clock.after(LOOK_EVERY_MS, look);
  };
  look();
  return () => cancel();
}

function ofThisProcess(): BufferMemory {
  const isKnown = Number.parseInt(process.versions.node, 10) >= FIRST_NODE;
  return {
    bytes: () => getHeapStatistics().external_memory,
    collectWithHeap(together) {
      if (isKnown) setEngineFlag("external-memory-accounted-in-global-limit", together);
    },
  };
}
