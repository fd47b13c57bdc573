import type { SortedMap } from "../lib/sorted-map.ts";
import { prefixEnd } from "../store/prefix-end.ts";
import type { CachedObject } from "./cached-object.ts";
import type { Selector } from "./requests.ts";

export type ObjectMap = SortedMap<string, CachedObject>;

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

/** One page of an ordered state. Throws the CorruptError of an object that cannot be read. */
export function selectPage(objects: ObjectMap, request: PageRequest): Page {
  const { scope, startAfter, selector, limit = Number.POSITIVE_INFINITY } = request;
  if (request.single) return selectOne(objects.get(scope), selector);
  const items: CachedObject[] = [];
  const end = prefixEnd(scope);
  let next: string | undefined;
  objects.forRange(firstKey(scope, startAfter), end, false, (key, object) => {
    if (key === startAfter) return undefined;
    if (items.length >= limit) {
      next = key;
      return STOP;
    }
    if (selector === undefined || selects(selector, object)) items.push(readable(object));
    return undefined;
  });
  if (next === undefined || selector !== undefined) return { items, more: next !== undefined, remaining: undefined };
  const delivered = startAfter === undefined ? 0 : request.delivered;
  const total = request.coversAll ? objects.size : request.counts?.of(objects, scope);
  const isCounted = total !== undefined && delivered !== undefined;
  const remaining = isCounted ? total - delivered - items.length : countRange(objects, next, end);
  return { items, more: true, remaining };
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

/** A corrupt object matches every selector: its attributes are unknown. */
function selects(selector: Selector, object: CachedObject): boolean {
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
