import type { CacheWatchRequest } from "./requests.ts";
import { firstKey, type ObjectMap, readable } from "./select-page.ts";
import { type CacheEvent, ObjectNotice, type WatchNotice } from "./watch-event.ts";

type Watched = Pick<CacheWatchRequest, "scope" | "single" | "selector">;

/**
 * The existing objects of a watch as ADDED notices, made as they are read, and then, when asked for, the bookmark that
 * ends a streaming list. `objects` must be a copy that does not change.
 */
export function* initialNotices(
  objects: ObjectMap,
  watched: Watched,
  bookmarkRevision: number | undefined,
): Generator<WatchNotice> {
  for (const [key, object] of objects.entries(firstKey(watched.scope, undefined))) {
    if (!covers(watched, key)) break;
    if (watched.selector !== undefined && !watched.selector.matches(readable(object))) continue;
    yield new ObjectNotice("ADDED", readable(object), object.modRevision);
  }
  if (bookmarkRevision !== undefined) {
    yield { type: "BOOKMARK", revision: bookmarkRevision, initialEventsEnd: true };
  }
}

/** The notices a watch gets from logged events. */
export function* loggedNotices(events: readonly CacheEvent[], watched: Watched): Generator<WatchNotice> {
  const { selector } = watched;
  for (const event of events) {
    if (!covers(watched, event.key)) continue;
    const corruption = event.current?.corruption ?? (event.current === undefined && event.previous?.corruption);
    if (corruption) throw corruption;
    const notice = event.noticeFor(selector === undefined ? () => true : (object) => selector.matches(object));
    if (notice !== undefined) yield notice;
  }
}

function covers({ scope, single }: Watched, key: string): boolean {
  return single ? key === scope : key.startsWith(scope);
}
