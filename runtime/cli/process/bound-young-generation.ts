import { getHeapSpaceStatistics } from "node:v8";
import type { Clock } from "../../lib/clock.ts";
import { setEngineFlag } from "./engine-flags.ts";
import { followCondition } from "./follow-condition.ts";

const LOOK_EVERY_MS = 250;
/** Size of both halves of the young generation. Large enough that most objects of a request die young. V8's own limit is eight times as much. */
const LARGEST_BYTES = 16 * 1024 * 1024;

export interface YoungGeneration {
  /** Returns the bytes reserved for new objects. */
  bytes(): number;
  allowGrowth(allowed: boolean): void;
}

/**
 * V8 doubles the space for new objects whenever many survive. A server that caches recent events always has survivors: the space would grow to its
 * limit, shrink at some full collection, and grow again. This stops the growth early, which costs an idle server nothing. On a busy server the space
 * may grow further between two checks. Returns a function that stops it.
 */
export function boundYoungGeneration(clock: Clock, young: YoungGeneration = ofThisProcess()): () => void {
  const isFull = (): boolean => young.bytes() >= LARGEST_BYTES;
  return followCondition(clock, LOOK_EVERY_MS, isFull, (full) => young.allowGrowth(!full));
}

function ofThisProcess(): YoungGeneration {
  return {
    bytes: () => getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space")?.space_size ?? 0,
    // One of the few flags that V8 reads on each use.
    allowGrowth: (allowed) => setEngineFlag("semi-space-growth-factor", allowed ? 2 : 1),
  };
}
