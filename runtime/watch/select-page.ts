import { inTurnsIfLong, type WaitingSteps } from "../lib/in-turns.ts";
import type { SortedMap } from "../lib/sorted-map.ts";
import { prefixEnd } from "../store/prefix-end.ts";
import type { CachedObject } from "./cached-object.ts";
import { readAhead } from "./read-ahead.ts";
import type { Selector } from "./requests.ts";

export type ObjectMap = SortedMap<string, CachedObject>;

/** Objects scanned between two points at which the caller may pause. */
export const STEP = 500;
/** Like STEP, for a selector that may have to read objects. */
export const READ_STEP = 100;
/** Sorting this many candidates takes a few milliseconds. */
const FEW_CANDIDATES = 5000;
const FEW_BESIDE = 32;

export interface PageRequest {
  readonly scope: string;
  /** `scope` is the key of one object. */
  readonly single?: boolean | undefined;
  readonly startAfter?: string | undefined;
  /** Number of objects before `startAfter`, if known. */
  readonly delivered?: number | undefined;
  /** `scope` contains all objects. */
  readonly coversAll?: boolean | undefined;
  /** Cache of the number of objects in scopes. */
  readonly counts?: ScopeCounts | undefined;
  readonly limit?: number | undefined;
  readonly selector?: Selector | undefined;
}

export interface Page {
  readonly items: CachedObject[];
  /** Whether objects follow the last item. With a selector, some of them may not match. */
  readonly more: boolean;
  /** Number of objects that follow; undefined if a selector was used or none follow. */
  readonly remaining: number | undefined;
}

/** The state from which a page is selected. Replaced by a copy if the work is interrupted. */
interface Scanned {
  objects: ObjectMap;
  /** Keys of all objects that may match; undefined if every object may. */
  candidates: ReadonlySet<string> | undefined;
}

/**
 * Selects one page of an ordered state. Takes several turns if it must scan many objects: the page still shows the state at the call, of
 * which `copied` then receives an immutable copy. Throws, or rejects with, the CorruptError of an object that cannot be read.
 */
export function selectPage(
  objects: ObjectMap,
  request: PageRequest,
  { candidates, copied }: { candidates?: ReadonlySet<string> | undefined; copied?: (copy: ObjectMap) => void } = {},
): Page | Promise<Page> {
  if (request.single) return selectOne(objects.get(request.scope), request.selector);
  const scanned: Scanned = { objects, candidates };
  return inTurnsIfLong(pageSteps(scanned, request), () => {
    const copy = objects.clone();
    request.counts?.share(objects, copy);
    scanned.objects = copy;
    scanned.candidates = candidates && new Set(candidates);
    copied?.(copy);
  });
}

function* pageSteps(scanned: Scanned, request: PageRequest): WaitingSteps<Page> {
  const { scope, startAfter, selector, limit = Number.POSITIVE_INFINITY } = request;
  const items: CachedObject[] = [];
  const end = prefixEnd(scope);
  let from = firstKey(scope, startAfter);
  let next: string | undefined;
  for (let more = true; more; ) {
    const reading = readToMatch(scanned.objects, from, end, selector);
    if (reading !== undefined) yield reading;
    let count = 0;
    more = false;
    const step = selector?.reads === undefined ? STEP : READ_STEP;
    const { candidates } = scanned;
    scanned.objects.forRange(from, end, false, (key, object) => {
      if (key === startAfter) return undefined;
      if (items.length >= limit) {
        next = key;
        return STOP;
      }
      if (count === step) {
        from = key;
        more = true;
        return STOP;
      }
      count += 1;
      if (candidates !== undefined && !candidates.has(key)) return undefined;
      if (selector === undefined || selects(selector, object)) items.push(readable(object));
      return undefined;
    });
    if (more) yield undefined;
  }
  if (next === undefined || selector !== undefined) return { items, more: next !== undefined, remaining: undefined };
  const { objects } = scanned;
  const delivered = startAfter === undefined ? 0 : request.delivered;
  const total = request.coversAll ? objects.size : request.counts?.of(objects, scope);
  const isCounted = total !== undefined && delivered !== undefined;
  const remaining = isCounted ? total - delivered - items.length : countRange(objects, next, end);
  return { items, more: true, remaining };
}

/** Starts to read those of the next objects in a range that a selector must read. Returns undefined if there are none. */
export function readToMatch(
  objects: ObjectMap,
  from: string,
  end: string,
  selector: Pick<Selector, "reads"> | undefined,
): Promise<void> | undefined {
  const reads = selector?.reads;
  if (reads === undefined) return undefined;
  const unread: CachedObject[] = [];
  let count = 0;
  objects.forRange(from, end, false, (_key, object) => {
    if (reads(object)) unread.push(object);
    count += 1;
    return count > READ_STEP ? STOP : undefined;
  });
  return readAhead(unread);
}

/** Without a callback, the map adds the lengths of its leaves, which is much cheaper than visiting the objects. */
function countRange(objects: ObjectMap, start: string, end: string): number {
  return objects.forRange(start, end, false);
}

/** Caches the number of objects in the scopes of which pages were read, so that a page need not count the objects after it. */
export class ScopeCounts {
  readonly #byState = new WeakMap<ObjectMap, Map<string, number>>();

  /** `scope` must be the directory of its objects, such as `/registry/pods/default/`. */
  of(objects: ObjectMap, scope: string): number {
    const counts = this.#byState.get(objects) ?? new Map<string, number>();
    this.#byState.set(objects, counts);
    const count = counts.get(scope) ?? countRange(objects, scope, prefixEnd(scope));
    counts.set(scope, count);
    return count;
  }

  /** Shares the counts with `copy`, which has the same objects and does not change. */
  share(objects: ObjectMap, copy: ObjectMap): void {
    const counts = this.#byState.get(objects);
    if (counts !== undefined && !this.#byState.has(copy)) this.#byState.set(copy, new Map(counts));
  }

  /** Records that an object was added to a state or, if `change` is -1, removed from it. */
  changed(objects: ObjectMap, key: string, change: 1 | -1): void {
    const counts = this.#byState.get(objects);
    if (counts === undefined) return;
    const scope = key.slice(0, key.lastIndexOf("/") + 1);
    const count = counts.get(scope);
    if (count === undefined) return;
    if (count + change > 0) counts.set(scope, count + change);
    else counts.delete(scope);
  }
}

function selectOne(object: CachedObject | undefined, selector: Selector | undefined): Page {
  const items = object !== undefined && (selector === undefined || selects(selector, object)) ? [readable(object)] : [];
  return { items, more: false, remaining: undefined };
}

/**
 * Like `selectPage`, from a set of candidate keys that an index has found. Whether `more` is set does not depend on candidates: clients
 * must not notice which indexes exist.
 */
export function selectCandidates(objects: ObjectMap, candidates: ReadonlySet<string>, request: PageRequest): Page {
  const { scope, startAfter, selector, limit = Number.POSITIVE_INFINITY } = request;
  const items: CachedObject[] = [];
  const keys = [...candidates].filter((key) => key.startsWith(scope) && (startAfter === undefined || key > startAfter));
  for (const key of keys.sort()) {
    const object = objects.get(key);
    if (object === undefined || (selector !== undefined && !selects(selector, object))) continue;
    items.push(readable(object));
    if (items.length < limit) continue;
    const next = objects.nextHigherKey(key);
    return { items, more: next?.startsWith(scope) ?? false, remaining: undefined };
  }
  return { items, more: false, remaining: undefined };
}

/**
 * Whether candidates are few, in absolute numbers or compared with all objects. If they are many, scanning all keys in order is faster than
 * sorting them.
 */
export function isSortedAtOnce(candidates: ReadonlySet<string>, objects: ObjectMap): boolean {
  return candidates.size <= FEW_CANDIDATES || candidates.size * FEW_BESIDE < objects.size;
}

/** A corrupt object matches every selector, because its attributes are unknown. */
export function selects(selector: Selector, object: CachedObject): boolean {
  return object.corruption !== undefined || selector.matches(object);
}

export function readable(object: CachedObject): CachedObject {
  if (object.corruption !== undefined) throw object.corruption;
  return object;
}

export function firstKey(scope: string, startAfter: string | undefined): string {
  return startAfter !== undefined && startAfter > scope ? startAfter : scope;
}

const STOP = { break: true };
