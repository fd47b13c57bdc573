import { setFlagsFromString } from "node:v8";

/** V8 itself takes some thirty, and goes through everything every few hundred writes. */
const GROWTH_BEFORE_COLLECTION_PERCENT = 100;

/**
 * V8 is made for pages and short programs; a server differs.
 *
 * A write lets the bytes of the object's last version go, which count as growth until all of the heap has been looked at;
 * most of the heap never changes. This looks when it has doubled. What a quiet server keeps is not decided here: see
 * `collectWhenIdle`.
 *
 * When functions are optimized is left to V8: asking for its best code after a third of the calls made the first 3,000 to 9,000 writes
 * cost 12 to 18 % more, because compiling took more CPU time on other threads than the writes saved.
 */
export function suitEngineToServing(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_BEFORE_COLLECTION_PERCENT}`);
}
