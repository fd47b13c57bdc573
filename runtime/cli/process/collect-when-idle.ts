import { getHeapStatistics } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Clock } from "../../lib/clock.ts";
import { setEngineFlag } from "./engine-flags.ts";

const LOOK_EVERY_MS = 1000;
/** A second in which less of the processor was used than this is a quiet one: little more than looking takes. */
const QUIET_CPU_MS = 20;
/**
 * Collecting everything also drops the code that V8 has made of what was busy, and the next requests are slow again: a
 * short pause is not worth that.
 */
const QUIET_LOOKS = 10;
/** Collecting pays when memory has grown by this much since the last time. */
const WORTHWHILE_GROWTH = 1.25;
/** Collecting stops the world, the longer the larger it is: larger heaps are left to V8, which does it in steps. */
const LARGEST_BYTES = 384 * 1024 * 1024;
/** A heap that is not moved together keeps some 1 MiB of holes after a start. To move all of it takes twice as long as to collect it. */
const LARGEST_COMPACTED_BYTES = 32 * 1024 * 1024;

export interface ProcessView {
  /** Processor time used so far, in milliseconds. */
  cpuMs(): number;
  /** Memory the heap holds, garbage included. */
  heapBytes(): number;
  /** Frees memory of caches that can be filled again. */
  collect(): void;
}

/**
 * V8 collects garbage when it wants room, not when there is time: a server that was busy and then rests would keep the
 * garbage of its busy time, several times what it needs. This looks once a second and collects when nothing goes on, after
 * `letGo` has made garbage of what can be done without. Returns how to stop it.
 */
export function collectWhenIdle(clock: Clock, letGo: () => void, view: ProcessView = thisProcess()): () => void {
  let cpuMs = view.cpuMs();
  let kept = 0;
  let quiet = 0;
  let cancel = (): void => undefined;
  const look = (): void => {
    const used = view.cpuMs() - cpuMs;
    const bytes = view.heapBytes();
    quiet = used < QUIET_CPU_MS ? quiet + 1 : 0;
    if (quiet >= QUIET_LOOKS && bytes > kept * WORTHWHILE_GROWTH && bytes < LARGEST_BYTES) {
      letGo();
      view.collect();
      // V8 lets go of compiled functions that were not called between some collections: most of those of the start are never called again.
      if (kept === 0) view.collect();
      kept = view.heapBytes();
    }
    cpuMs = view.cpuMs();
    cancel = clock.after(LOOK_EVERY_MS, look);
  };
  cancel = clock.after(LOOK_EVERY_MS, look);
  return () => cancel();
}

function thisProcess(): ProcessView {
  let gc: ((options: object) => void) | undefined;
  return {
    cpuMs() {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1000;
    },
    heapBytes() {
      // Not process.memoryUsage(): that opens a file, which fails where too many are open.
      const { total_heap_size, external_memory } = getHeapStatistics();
      return total_heap_size + external_memory;
    },
    collect() {
      const isSmall = getHeapStatistics().total_heap_size < LARGEST_COMPACTED_BYTES;
      setEngineFlag("compact-on-every-full-gc", isSmall);
      gc ??= exposedGc();
      // The kind that also gives memory back to the system.
      gc({ type: "major", flavor: "last-resort" });
      setEngineFlag("compact-on-every-full-gc", false);
    },
  };
}

/** Takes milliseconds, so it is called at the first collection, not at the start. */
function exposedGc(): (options: object) => void {
  setEngineFlag("expose-gc");
  return runInNewContext("gc") as (options: object) => void;
}
