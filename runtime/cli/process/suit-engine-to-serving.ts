import { type Clock, steadyClock } from "../../lib/clock.ts";
import { putOffMarking } from "./bound-marking.ts";
import { setEngineFlag } from "./engine-flags.ts";

/** V8 itself waits for three to ten times as many calls. */
const CALLS_BEFORE_BEST_CODE = 1000;
/** Before a server is busy. Times the length of a function it has to be below 2^31. */
const CALLS_BEFORE_BEST_CODE_AT_START = 30_000;
/** V8 itself takes some thirty, and goes through everything every few hundred writes. */
const GROWTH_BEFORE_COLLECTION_PERCENT = 100;

const LOOK_EVERY_MS = 500;
/** Processor time of a second that says nothing: timers, health checks, a few requests. */
const QUIET_CPU_MS = 50;
/** More than that by this much, in whatever time, is a server in use. What a start still does after it listens takes less. */
const BUSY_CPU_MS = 800;

/**
 * V8 is made for pages and short programs; a server differs in two ways.
 *
 * A write lets the bytes of the object's last version go, which count as growth until all of the heap has been looked at;
 * most of the heap never changes. This looks when it has doubled. What a quiet server keeps is not decided here: see
 * `collectWhenIdle`. The other way is that of `optimizeWhenBusy`.
 */
export function suitEngineToServing(): void {
  // Loads what it needs now: V8 does not use the compiled code that Node has of its modules once flags have changed.
  performance.now();
  setEngineFlag("heap-growing-percent", GROWTH_BEFORE_COLLECTION_PERCENT);
  setEngineFlag("sparkplug", false);
  setEngineFlag("invocation-count-for-turbofan", CALLS_BEFORE_BEST_CODE_AT_START);
  putOffMarking();
}

/** A start makes 1 MiB of simple machine code of functions that hardly run again. Requests need it: they begin to be served now. */
export function suitEngineToRequests(): void {
  setEngineFlag("sparkplug");
}

export interface EngineUse {
  /** Processor time used so far, in milliseconds. */
  cpuMs(): number;
  optimizeEarly(): void;
}

/**
 * A request runs through hundreds of functions, each once or a few times, so it takes thousands of requests until V8 optimizes
 * them. This asks for it earlier: compiling makes the first 4,000 creations of pods cost up to a quarter more CPU time,
 * the ones after them cost a quarter to a third less, and after 12,000 the sum is the same or lower.
 *
 * It asks once the server has work to do. A start runs many functions a thousand times and none of them again, and the best compiler of V8
 * takes 5 MiB of memory, which are pages of Node's own code, as soon as it has compiled one function: until then V8 waits for more calls
 * than by itself. Returns how to stop looking.
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
