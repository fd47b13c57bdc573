import { setFlagsFromString } from "node:v8";

/** V8 itself waits for three times as many calls. */
const CALLS_BEFORE_BEST_CODE = 1000;
/** V8 itself takes some thirty, and goes through everything every few hundred writes. */
const GROWTH_BEFORE_COLLECTION_PERCENT = 100;

/**
 * V8 is made for pages and short programs; a server differs in two ways.
 *
 * A request runs through hundreds of functions, each once or a few times: thousands of them would be answered before V8
 * makes its best code of what is called all the time. This asks for it sooner.
 *
 * A write lets the bytes of the object's last version go, which count as growth until all of the heap has been looked at;
 * most of the heap never changes. This looks when it has doubled. What a quiet server keeps is not decided here: see
 * `collectWhenIdle`.
 */
export function suitEngineToServing(): void {
  setFlagsFromString(`--invocation-count-for-turbofan=${CALLS_BEFORE_BEST_CODE}`);
  setFlagsFromString(`--heap-growing-percent=${GROWTH_BEFORE_COLLECTION_PERCENT}`);
}
