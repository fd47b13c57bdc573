import { type Clock, steadyClock } from "../../lib/clock.ts";
import { setEngineFlag } from "./engine-flags.ts";

/** V8 itself waits for three to ten times as many calls. */
const CALLS_BEFORE_BEST_CODE = 1000;
/** Names of functions that V8 may optimize. */
const NO_FUNCTION = "-*";
const EVERY_FUNCTION = "*";
/** V8 itself takes some thirty, and goes through everything every few hundred writes. */
const GROWTH_BEFORE_COLLECTION_PERCENT = 100;

const LOOK_EVERY_MS = 500;
/** Processor time of a second that says nothing: timers, health checks, a few requests. */
const QUIET_CPU_MS = 50;
/** More than that by this much, in whatever time, is a server in use. What a start still does after it listens takes 70 to 150 ms. */
const USED_CPU_MS = 300;
const BUSY_CPU_MS = 800;

/**
 * V8 is made for pages and short programs; a server differs in two ways.
 *
 * A write lets the bytes of the object's last version go, which count as growth until all of the heap has been looked at;
 * most of the heap never changes. This looks when it has doubled. What a quiet server keeps is not decided here: see
 * `collectWhenIdle`. The other way is that of `optimizeWhenBusy`.
 */
export function suitEngineToServing(): void {
  setEngineFlag("heap-growing-percent", GROWTH_BEFORE_COLLECTION_PERCENT);
  setEngineFlag("sparkplug", false);
  setEngineFlag("maglev-filter", NO_FUNCTION);
  setEngineFlag("turbo-filter", NO_FUNCTION);
}

/** A start makes 1 MiB of simple machine code of functions that hardly run again. Requests need it: they begin to be served now. */
export function suitEngineToRequests(): void {
  setEngineFlag("sparkplug");
}

export interface EngineUse {
  /** Processor time used so far, in milliseconds. */
  cpuMs(): number;
  /** With the simpler of the two optimizing compilers; called before the next. */
  optimize(): void;
  optimizeEarly(): void;
}

/**
 * A request runs through hundreds of functions, each once or a few times, so it takes thousands of requests until V8 optimizes
 * them. This asks for it earlier: compiling makes the first 4,000 creations of pods cost up to a quarter more CPU time,
 * the ones after them cost a quarter to a third less, and after 12,000 the sum is the same or lower.
 *
 * It asks once the server has work to do. A start runs many functions a thousand times and none of them again, and as soon as they have
 * compiled one function, the best compiler of V8 (Turbofan) takes 5 MiB of memory and the simpler one (Maglev) 2.4 MiB, which are pages of
 * Node's own code: until then V8 optimizes nothing. Maglev may run earlier than Turbofan, since the first hundred requests already gain by
 * it. Returns how to stop looking.
 */
export function optimizeWhenBusy(clock: Clock, use: EngineUse = ofThisProcess()): () => void {
  const steady = steadyClock(clock);
  let cpuMs = use.cpuMs();
  let at = steady.now();
  let above = 0;
  let isUsed = false;
  let cancel = (): void => undefined;
  const look = (): void => {
    const [used, now] = [use.cpuMs(), steady.now()];
    above = Math.max(0, above + used - cpuMs - (QUIET_CPU_MS * (now - at)) / 1000);
    cpuMs = used;
    at = now;
    if (above >= USED_CPU_MS && !isUsed) {
      isUsed = true;
      use.optimize();
    }
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
    optimize: () => setEngineFlag("maglev-filter", EVERY_FUNCTION),
    optimizeEarly() {
      setEngineFlag("invocation-count-for-turbofan", CALLS_BEFORE_BEST_CODE);
      setEngineFlag("turbo-filter", EVERY_FUNCTION);
    },
  };
}
