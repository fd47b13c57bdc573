import { getHeapStatistics } from "node:v8";
import { type Clock, systemClock } from "../../lib/clock.ts";
import { setEngineFlag } from "./engine-flags.ts";
import { followCondition } from "./follow-condition.ts";

const LOOK_EVERY_MS = 500;
/** Size of buffers from which on this applies: the 64 MiB after which V8 marks the whole heap are then at most an eighth of them. */
const LARGE_BYTES = 512 * 1024 * 1024;
/** Older versions do not know the flag. */
const FIRST_NODE = 24;
/** Percentage of the allowed heap growth at which incremental marking starts immediately: at 100, never before the limit. */
const NOT_IN_STEPS_PERCENT = 100;
/** A start that takes longer loads much data and produces garbage. */
const PUT_OFF_MS = 2_000;

export interface BufferMemory {
  /** Returns the bytes of buffers, outside the heap. */
  bytes(): number;
  /** Sets whether V8 counts buffers as part of the heap when it decides to collect garbage. */
  collectWithHeap(together: boolean): void;
}

/**
 * V8 marks the whole heap whenever buffers have grown by 64 MiB, and under time pressure: it marks for up to 10 ms at each new buffer. With gigabytes
 * of buffers that happens every few seconds, and requests are delayed by half a second. This makes V8 count buffers as part of the heap while there
 * are many, so that it collects less often and leaves more of the work to other threads. Returns a function that stops it.
 */
export function boundMarking(clock: Clock, buffers: BufferMemory = ofThisProcess()): () => void {
  const isLarge = (): boolean => buffers.bytes() >= LARGE_BYTES;
  return followCondition(clock, LOOK_EVERY_MS, isLarge, (large) => buffers.collectWithHeap(large));
}

/**
 * Prevents V8 from marking the whole heap during a start and the first requests, when nearly all objects survive. It would mark the heap because it
 * counts 17 MiB of addresses that LMDB reserves, and because it allows less growth the more objects survive. A heap that reaches its limit is still
 * collected.
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
