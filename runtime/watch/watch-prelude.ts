import { prefixEnd } from "../store/prefix-end.ts";
import type { CachedObject } from "./cached-object.ts";
import { readAhead, WINDOW, type Window } from "./read-ahead.ts";
import type { CacheWatchRequest } from "./requests.ts";
import { firstKey, type ObjectMap, READ_STEP, readable, readToMatch, STEP, selects } from "./select-page.ts";
import { type CacheEvent, ObjectNotice, type WatchNotice } from "./watch-event.ts";

type Watched = Pick<CacheWatchRequest, "scope" | "single" | "selector">;

/** The notices that a watch sends first. Undefined is a step of work without a notice, a promise is a step to wait for. */
export type Prelude = Iterator<WatchNotice | Promise<void> | undefined>;

/**
 * Yields the existing objects of a watch as ADDED notices, created as they are read, and then, if requested, the bookmark that ends a
 * streaming list. `objects` must be an immutable copy. Objects that are only on disk are read before their notices are created.
 */
export function* initialNotices(
  objects: ObjectMap,
  watched: Watched,
  bookmarkRevision: number | undefined,
): Generator<WatchNotice | Promise<void> | undefined> {
  let window: Window | undefined;
  for (const next of selectedWindows(objects, watched)) {
    if (next === undefined || next instanceof Promise) {
      yield next;
      continue;
    }
    // While one window is sent, the next one is read.
    if (window !== undefined) yield* noticesOf(window);
    window = next;
  }
  if (window !== undefined) yield* noticesOf(window);
  if (bookmarkRevision !== undefined) {
    yield { type: "BOOKMARK", revision: bookmarkRevision, initialEventsEnd: true };
  }
}

function* noticesOf({ objects, ready }: Window): Generator<WatchNotice | Promise<void>> {
  if (ready !== undefined) yield ready;
  for (const object of objects) yield new ObjectNotice("ADDED", readable(object), object.modRevision);
}

/** Yields the objects of a watch in key order, including those that cannot be read. */
function* selectedWindows(
  objects: ObjectMap,
  { scope, single, selector }: Watched,
): Generator<Window | Promise<void> | undefined, void, void> {
  // Among the keys that start with a given key, that key itself is the first.
  const end = single ? `${scope}\0` : prefixEnd(scope);
  const most = selector?.reads === undefined ? STEP : READ_STEP;
  let from = firstKey(scope, undefined);
  for (let more = true; more; ) {
    const reading = readToMatch(objects, from, end, selector);
    if (reading !== undefined) yield reading;
    const found: CachedObject[] = [];
    let count = 0;
    more = false;
    objects.forRange(from, end, false, (key, object) => {
      if (count === most || found.length === WINDOW) {
        from = key;
        more = true;
        return STOP;
      }
      count += 1;
      if (selector === undefined || selects(selector, object)) found.push(object);
      return undefined;
    });
    if (found.length > 0) yield { objects: found, ready: readAhead(found) };
    if (more) yield undefined;
  }
}

const STOP = { break: true };

/** Yields the notices of a watch for logged events. */
export function* loggedNotices(events: readonly CacheEvent[], watched: Watched): Generator<WatchNotice> {
  const { selector } = watched;
  for (const event of events) {
    if (!covers(watched, event.key)) continue;
    const corruption = event.current?.corruption ?? (event.current === undefined && event.previous?.corruption);
    if (corruption) throw corruption;
    const notice = event.noticeFor(selector && ((object) => selector.matches(object)));
    if (notice !== undefined) yield notice;
  }
}

function covers({ scope, single }: Watched, key: string): boolean {
  return single ? key === scope : key.startsWith(scope);
}
