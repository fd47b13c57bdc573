import { inTurnsIfLong, type WaitingSteps } from "../lib/in-turns.ts";
import type { SortedMap } from "../lib/sorted-map.ts";
import { prefixEnd } from "../store/prefix-end.ts";
import type { CachedObject } from "./cached-object.ts";
import { readAhead } from "./read-ahead.ts";
import type { Selector } from "./requests.ts";

export type ObjectMap = SortedMap<string, CachedObject>;

/** Objects that are looked at between two places where that may be interrupted. */
export const STEP = 500;
/** The same if a selector may have to read them. */
export const READ_STEP = 100;
/** So many candidates are sorted in a few milliseconds. */
const FEW_CANDIDATES = 5000;
const FEW_BESIDE = 32;

export interface PageRequest {
  readonly scope: string;
  /** The scope is the key of one object. */
  readonly single?: boolean | undefined;
  readonly startAfter?: string | undefined;
  /** How many objects come before `startAfter`, when known. */
  readonly delivered?: number | undefined;
  /** The scope holds all objects there are. */
  readonly coversAll?: boolean | undefined;
  /** Where the numbers of objects in scopes are kept. */
  readonly counts?: ScopeCounts | undefined;
  readonly limit?: number | undefined;
  readonly selector?: Selector | undefined;
}

export interface Page {
  readonly items: CachedObject[];
  /** Objects follow the last item; with a selector some of them may not match. */
  readonly more: boolean;
  /** How many follow; undefined when a selector was used or none follow. */
  readonly remaining: number | undefined;
}

/** What a page is selected from. It is replaced by a copy when the work is interrupted. */
interface Scanned {
  objects: ObjectMap;
  /** Keys of all objects that may match; undefined if every object may. */
  candidates: ReadonlySet<string> | undefined;
}

/**
 * One page of an ordered state, in several turns if many objects are looked at: the page shows the state as it is now, of which
 * `copied` is then given a copy that does not change. Throws, or rejects with, the CorruptError of an object that cannot be read.
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

/** Has the first objects of a range read that a selector cannot tell without; undefined if there are none. */
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

/** Without a callback the map adds up the lengths of its leaves, a small part of what visiting the objects takes. */
function countRange(objects: ObjectMap, start: string, end: string): number {
  return objects.forRange(start, end, false);
}

/** How many objects there are in the scopes of which pages were read, so that no page has to count what follows it. */
export class ScopeCounts {
  readonly #byState = new WeakMap<ObjectMap, Map<string, number>>();

  /** Of a scope that is the directory of its objects: `/registry/pods/default/`. */
  of(objects: ObjectMap, scope: string): number {
    const counts = this.#byState.get(objects) ?? new Map<string, number>();
    this.#byState.set(objects, counts);
    const count = counts.get(scope) ?? countRange(objects, scope, prefixEnd(scope));
    counts.set(scope, count);
    return count;
  }

  /** `copy` holds the same objects, and does not change. */
  share(objects: ObjectMap, copy: ObjectMap): void {
    const counts = this.#byState.get(objects);
    if (counts !== undefined && !this.#byState.has(copy)) this.#byState.set(copy, new Map(counts));
  }

  /** An object was added to a state or, if `change` is -1, removed from it. */
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
 * The same from a set of candidate keys, found by an index. What follows a full page need not be a candidate: clients
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

/** Whether candidates are few, of themselves or beside all objects: many are found faster by looking at all keys in their order. */
export function isSortedAtOnce(candidates: ReadonlySet<string>, objects: ObjectMap): boolean {
  return candidates.size <= FEW_CANDIDATES || candidates.size * FEW_BESIDE < objects.size;
}

/** A corrupt object matches every selector: its attributes are unknown. */
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
