import type { CachedObject } from "./cached-object.ts";

/** Number of items of a list that are read before the list is returned: a typical page. */
export const LISTED_AHEAD = 1000;
/** Number of objects that are read ahead at once. */
export const WINDOW = 200;
/** Objects sorted between two points at which the caller may pause. */
const STEP = 5000;

/**
 * Reads the bytes of those objects of a range that are not in memory, without blocking the event loop. Returns undefined if there are none,
 * or if reads do not wait for a disk. Never rejects: reading the object itself will throw.
 */
export function readAhead(
  objects: readonly CachedObject[],
  start = 0,
  end = objects.length,
): Promise<void> | undefined {
  const revisions: number[] = [];
  let source: CachedObject["source"];
  for (let index = start; index < end && index < objects.length; index++) {
    const object = objects[index] as CachedObject;
    if (!object.isCold) continue;
    revisions.push(object.modRevision);
    source ??= object.source;
  }
  return source?.prefetch(revisions.sort((a, b) => a - b))?.catch(() => undefined);
}

/** Objects to use as one group once `ready` has resolved. */
export interface Window {
  readonly objects: readonly CachedObject[];
  readonly ready: Promise<void> | undefined;
}

/** Divides the items of a list into windows in their order. While one window is used, the next one is read. */
export function* windowsOf(objects: readonly CachedObject[]): Generator<Window, void, void> {
  yield { objects: objects.length <= LISTED_AHEAD ? objects : objects.slice(0, LISTED_AHEAD), ready: undefined };
  let ready = readAhead(objects, LISTED_AHEAD, LISTED_AHEAD + WINDOW);
  for (let start = LISTED_AHEAD; start < objects.length; start += WINDOW) {
    const next = readAhead(objects, start + WINDOW, start + 2 * WINDOW);
    yield { objects: objects.slice(start, start + WINDOW), ready };
    ready = next;
  }
}

/**
 * Like `windowsOf`, in the order in which objects are read fastest: first those in memory, then the others in the order of their writes,
 * which is roughly their order in the data file. Undefined is a step of work without a window.
 */
export function* windowsToRead(objects: readonly CachedObject[]): Generator<Window | undefined, void, void> {
  const present: CachedObject[] = [];
  const absent: CachedObject[] = [];
  let [first, last] = [Number.POSITIVE_INFINITY, 0];
  for (const [index, object] of objects.entries()) {
    if (object.isCold) {
      absent.push(object);
      first = Math.min(first, object.modRevision);
      last = Math.max(last, object.modRevision);
    } else present.push(object);
    if (index % STEP === STEP - 1) yield undefined;
  }
  if (present.length > 0) yield { objects: present, ready: undefined };
  // Groups objects with close revisions first: sorting all of them would take one long step.
  const width = Math.max(1, (WINDOW * (last - first + 1)) / absent.length);
  const groups: (CachedObject[] | undefined)[] = [];
  for (const [index, object] of absent.entries()) {
    const place = Math.floor((object.modRevision - first) / width);
    const group = groups[place];
    if (group === undefined) groups[place] = [object];
    else group.push(object);
    if (index % STEP === STEP - 1) yield undefined;
  }
  let ready: Window | undefined;
  for (const group of groups) {
    if (group === undefined) continue;
    group.sort((one, other) => one.modRevision - other.modRevision);
    const next = { objects: group, ready: readAhead(group) };
    if (ready !== undefined) yield ready;
    ready = next;
  }
  if (ready !== undefined) yield ready;
}
