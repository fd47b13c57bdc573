import { getHeapStatistics } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Clock } from "../../lib/clock.ts";
import { setEngineFlag } from "./engine-flags.ts";

const LOOK_EVERY_MS = 1000;
/** A second with less CPU time than this is idle: it is little more than the checks need. */
const QUIET_CPU_MS = 20;
/**
 * Number of idle seconds before a collection. A full collection also drops the code that V8 has compiled for busy functions, which makes the next
 * requests slow: it is not worthwhile in a short pause.
 */
const QUIET_LOOKS = 10;
/** A collection is worthwhile if memory has grown by this factor since the last one. */
const WORTHWHILE_GROWTH = 1.25;
/** A collection blocks the process, longer for larger heaps: these are left to V8, which collects incrementally. */
const LARGEST_BYTES = 384 * 1024 * 1024;
/**
 * Maximum heap size for compaction. Without it, about 1 MiB remains fragmented after a start. Compacting the whole heap takes twice as long as
 * collecting it.
 */
const LARGEST_COMPACTED_BYTES = 32 * 1024 * 1024;

export interface ProcessView {
  /** Returns the CPU time used so far, in milliseconds. */
  cpuMs(): number;
  /** Returns the size of the heap and of external memory, including garbage. */
  heapBytes(): number;
  /** Runs a full garbage collection that returns memory to the system. */
  collect(): void;
}

/**
 * V8 collects garbage when it needs space, not when there is time. A server that becomes idle would keep the garbage of its busy time, several times
 * what it needs. This checks once per second, and collects when the process is idle, after `letGo` has released memory that is not essential. Returns
 * a function that stops it.
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
      // V8 drops compiled functions that were not called between several collections. Most of those that the start used are never called again.
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
      // process.memoryUsage() opens a file, which fails if too many files are open.
      const { total_heap_size, external_memory } = getHeapStatistics();
      return total_heap_size + external_memory;
    },
    collect() {
      const isSmall = getHeapStatistics().total_heap_size < LARGEST_COMPACTED_BYTES;
      setEngineFlag("compact-on-every-full-gc", isSmall);
      gc ??= exposedGc();
      // This type of collection also returns memory to the system.
      gc({ type: "major", flavor: "last-resort" });
      setEngineFlag("compact-on-every-full-gc", false);
    },
  };
}

/** Called for the first collection and not at the start, because it takes milliseconds. */
function exposedGc(): (options: object) => void {
  setEngineFlag("expose-gc");
  return runInNewContext("gc") as (options: object) => void;
}
