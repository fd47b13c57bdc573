import { getHeapStatistics } from "node:v8";
import { type Clock, systemClock } from "../../lib/clock.ts";
import { setEngineFlag } from "./engine-flags.ts";
import { followCondition } from "./follow-condition.ts";

const LOOK_EVERY_MS = 500;
/** From here on, the 64 MiB after which V8 looks through everything are at most an eighth of what it holds. */
const LARGE_BYTES = 512 * 1024 * 1024;
/** Older ones do not know the flag. */
const FIRST_NODE = 24;
/** Of the growth that the heap is allowed until it is collected at once: never before that. */
const NOT_IN_STEPS_PERCENT = 100;
/** A start that takes longer has much to load, and garbage. */
const PUT_OFF_MS = 2_000;

export interface BufferMemory {
  /** Memory of buffers, outside the heap. */
  bytes(): number;
  /** Whether V8 counts buffers as a part of the heap when it decides to collect garbage. */
  collectWithHeap(together: boolean): void;
}

/**
 * V8 looks through the whole heap whenever buffers have grown by 64 MiB, and hurries: it marks for up to 10 ms at each new buffer. With
 * gigabytes of buffers that happens every few seconds, and no request is answered for half a second. This has V8 count many buffers as a
 * part of the heap, so that it collects less often and leaves more of the work to other threads. Returns how to stop.
 */
export function boundMarking(clock: Clock, buffers: BufferMemory = ofThisProcess()): () => void {
  const isLarge = (): boolean => buffers.bytes() >= LARGE_BYTES;
  return followCondition(clock, LOOK_EVERY_MS, isLarge, (large) => buffers.collectWithHeap(large));
}

/**
 * Keeps V8 from looking through the whole heap during a start and the first requests, of which nearly all objects live on. It would look, because
 * it counts 17 MiB of addresses that LMDB reserves, and allows the less growth the more objects survive. A heap that reaches its limit is collected
 * nevertheless.
 */
export function putOffMarking(clock: Clock = systemClock): void {
  if (!knowsBuffers()) return;
  const buffers = ofThisProcess();
  setEngineFlag("incremental-marking-hard-trigger", NOT_IN_STEPS_PERCENT);
  buffers.collectWithHeap(true);
  clock.after(PUT_OFF_MS, () => {
    setEngineFlag("incremental-marking-hard-trigger", 0);
    buffers.collectWithHeap(buffers.bytes() >= LARGE_BYTES);
  });
}

const knowsBuffers = (): boolean => Number.parseInt(process.versions.node, 10) >= FIRST_NODE;

function ofThisProcess(): BufferMemory {
  return {
    bytes: () => getHeapStatistics().external_memory,
    collectWithHeap(together) {
      if (knowsBuffers()) setEngineFlag("external-memory-accounted-in-global-limit", together);
    },
  };
}
