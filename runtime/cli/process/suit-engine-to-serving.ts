import { type Clock, steadyClock } from "../../lib/clock.ts";
import { putOffMarking } from "./bound-marking.ts";
import { setEngineFlag } from "./engine-flags.ts";

/** Number of calls before optimization. The default of V8 is three to ten times as many. */
const CALLS_BEFORE_BEST_CODE = 1000;
/** Number of calls before optimization until the server is busy. Multiplied by the length of a function, it must be below 2^31. */
const CALLS_BEFORE_BEST_CODE_AT_START = 30_000;
/** Heap growth before a full collection. The default of V8 is about 30 percent, which causes a full collection every few hundred writes. */
const GROWTH_BEFORE_COLLECTION_PERCENT = 100;

const LOOK_EVERY_MS = 500;
/** CPU time per second that is not significant: timers, health checks, a few requests. */
const QUIET_CPU_MS = 50;
/** Accumulated CPU time above that from which on a server is considered busy. The remaining work of a start, after it listens, takes less. */
const BUSY_CPU_MS = 800;

/**
 * Adapts V8, which is designed for pages and short programs, to a server in two ways.
 *
 * A write releases the bytes of the previous version of its object. They count as growth until the whole heap has been marked, but most of the heap
 * never changes. So the heap is marked only when it has doubled. `collectWhenIdle` decides what an idle server keeps. The second way is
 * `optimizeWhenBusy`.
 */
export function suitEngineToServing(): void {
  // Loads what it needs now: after a change of flags, V8 does not use the cached code of Node.js modules.
  performance.now();
  setEngineFlag("heap-growing-percent", GROWTH_BEFORE_COLLECTION_PERCENT);
  setEngineFlag("sparkplug", false);
  setEngineFlag("invocation-count-for-turbofan", CALLS_BEFORE_BEST_CODE_AT_START);
  putOffMarking();
}

/**
 * To be called when the server starts to serve requests, which need the baseline compiler. It is off during a start, where it would compile 1 MiB of
 * code for functions that hardly run again.
 */
export function suitEngineToRequests(): void {
  setEngineFlag("sparkplug");
}

export interface EngineUse {
  /** Returns the CPU time used so far, in milliseconds. */
  cpuMs(): number;
  optimizeEarly(): void;
}

/**
 * A request executes hundreds of functions, each once or a few times, so it takes thousands of requests until V8 optimizes them. This makes V8
 * optimize earlier. Compiling makes the first 4,000 creations of pods cost up to a quarter more CPU time, later ones cost a quarter to a third less,
 * and after 12,000 the total is equal or lower.
 *
 * It starts when the server becomes busy. A start calls many functions a thousand times and then never again, and V8's optimizing compiler takes 5
 * MiB of memory, which are pages of the Node.js binary, once it has compiled one function: until then V8 waits for more calls than by default.
 * Returns a function that stops the checks.
 */
export function optimizeWhenBusy(clock: Clock, use: EngineUse = ofThisProcess()): () => void {
  const steady = steadyClock(clock);
  let cpuMs = use.cpuMs();
  let at = steady.now();
  let above = 0;
  let cancel = (): void => undefined;
  const look = (): void => {
    const [used, now] = [use.cpuMs(), steady.now()];
    above = Math.max(0, above + used - cpuMs - (QUIET_CPU_MS * (now - at)) / 1000);
    cpuMs = used;
    at = now;
    if (above >= BUSY_CPU_MS) use.optimizeEarly();
    else cancel = steady.after(LOOK_EVERY_MS, look);
  };
  cancel = steady.after(LOOK_EVERY_MS, look);
  return () => cancel();
}

function ofThisProcess(): EngineUse {
  return {
    cpuMs() {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1000;
    },
    optimizeEarly: () => setEngineFlag("invocation-count-for-turbofan", CALLS_BEFORE_BEST_CODE),
  };
}
