import type { Store } from "../store/store.ts";
import type { CachedObject } from "./cached-object.ts";
import type { ObjectCodec } from "./codec.ts";
import { type Page, type PageRequest, readable } from "./select-page.ts";

const SMALLEST_FETCH = 500;
const LARGEST_FETCH = 10_000;

/** Returns the object at this revision if it is in memory. */
export type FindCached = (key: string, modRevision: number) => CachedObject | undefined;

/**
 * Reads one page from the store's history instead of the cache. Objects that are in memory are not decoded again. A selector may drop most
 * of the fetched entries, so fetches grow until the page is full. Throws Compacted, FutureRevision, Corrupt.
 */
export async function selectFromStore(
  store: Store,
  read: { readonly codec: ObjectCodec; readonly findCached: FindCached },
  request: PageRequest,
  atRevision: number | undefined,
): Promise<{ found: Page; revision: number }> {
  const { scope: prefix, single, selector, limit = Number.POSITIVE_INFINITY } = request;
  const items: CachedObject[] = [];
  let revision = atRevision;
  let startAfter = request.startAfter;
  // Among the keys that start with a given key, that key itself is the first.
  let fetch = single ? 1 : selector === undefined ? limit : Math.max(limit, SMALLEST_FETCH);
  for (;;) {
    const range = await store.range({
      prefix,
      count: true,
      ...(fetch !== Number.POSITIVE_INFINITY && { limit: fetch }),
      ...(startAfter !== undefined && { startAfter }),
      ...(revision !== undefined && { atRevision: revision }),
    });
    revision = range.revision;
    for (const [index, { key, value, modRevision }] of range.entries.entries()) {
      startAfter = key;
      if (single && key !== prefix) continue;
      const object = readable(read.findCached(key, modRevision) ?? read.codec.decodeOnce(key, value, modRevision));
      if (selector !== undefined && !selector.matches(object)) continue;
      items.push(object);
      if (items.length < limit || single) continue;
      const following = (range.count ?? range.entries.length) - index - 1;
      const remaining = selector === undefined && following > 0 ? following : undefined;
      return { found: { items, more: following > 0, remaining }, revision };
    }
    if (!range.more || single) return { found: { items, more: false, remaining: undefined }, revision };
    fetch = Math.min(fetch * 2, LARGEST_FETCH);
  }
}
