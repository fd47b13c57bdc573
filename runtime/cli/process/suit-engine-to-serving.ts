import { setEngineFlag } from "./engine-flags.ts";

/** V8 itself waits for three to ten times as many calls. */
const CALLS_BEFORE_BEST_CODE = 1000;
/** V8 itself takes some thirty, and goes through everything every few hundred writes. */
const GROWTH_BEFORE_COLLECTION_PERCENT = 100;

/**
 * V8 is made for pages and short programs; a server differs in two ways.
 *
 * A request runs through hundreds of functions, each once or a few times, so it takes thousands of requests until V8 optimizes
 * them. This asks for it earlier: compiling makes the first 4,000 creations of pods cost up to a quarter more CPU time,
 * the ones after them cost a quarter to a third less, and after 12,000 the sum is the same or lower.
 *
 * A write lets the bytes of the object's last version go, which count as growth until all of the heap has been looked at;
 * most of the heap never changes. This looks when it has doubled. What a quiet server keeps is not decided here: see
 * `collectWhenIdle`.
 */
export function suitEngineToServing(): void {
  setEngineFlag("invocation-count-for-turbofan", CALLS_BEFORE_BEST_CODE);
  setEngineFlag("heap-growing-percent", GROWTH_BEFORE_COLLECTION_PERCENT);
}
