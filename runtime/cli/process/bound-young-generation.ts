import { getHeapSpaceStatistics } from "node:v8";
import type { Clock } from "../../lib/clock.ts";
import { setEngineFlag } from "./engine-flags.ts";
import { followCondition } from "./follow-condition.ts";

const LOOK_EVERY_MS = 250;
/** Both halves together. Enough that what a request makes dies young; V8 itself goes to eight times that. */
const LARGEST_BYTES = 16 * 1024 * 1024;

export interface YoungGeneration {
  /** Room reserved for new objects. */
  bytes(): number;
  allowGrowth(allowed: boolean): void;
}

/**
 * V8 doubles the room for new objects whenever many survive, and a server that remembers recent events has survivors
 * all the time: the room would grow to its limit, shrink at some collection of everything, and grow again. This stops it
 * early, which costs a quiet server nothing. A busy one grows past it between two looks. Returns how to stop.
 */
export function boundYoungGeneration(clock: Clock, young: YoungGeneration = ofThisProcess()): () => void {
  const isFull = (): boolean => young.bytes() >= LARGEST_BYTES;
  return followCondition(clock, LOOK_EVERY_MS, isFull, (full) => young.allowGrowth(!full));
}

function ofThisProcess(): YoungGeneration {
  return {
    bytes: () => getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space")?.space_size ?? 0,
    // One of the few flags that V8 reads each time it needs them.
    allowGrowth: (allowed) => setEngineFlag("semi-space-growth-factor", allowed ? 2 : 1),
  };
}
