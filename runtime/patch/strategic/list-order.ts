import type { Steps } from "../../lib/in-turns.ts";
import { isJsonObject, type JsonArray, type JsonValue } from "../../lib/json-object.ts";
import { isDeletion } from "./directives.ts";
import { mergeKeyOf } from "./merge-key.ts";

/**
 * Puts merged entries in order. Entries in `order` (the patch, or its order directive) keep that order, the others keep the live order.
 * When the two sequences are merged, live order decides if it contains both entries; otherwise the one in `order` comes first. Works in
 * steps between which the caller may pause.
 */
export function* orderItemsSteps(
  merged: JsonArray,
  order: JsonArray,
  live: JsonArray,
  mergeKey: string,
): Steps<JsonValue[]> {
  const orderIndex = indexByKey(order, mergeKey);
  yield;
  const liveIndex = indexByKey(live, mergeKey);
  yield;
  const keyOf = (item: JsonValue) => mergeKeyOf(item, mergeKey);
  const named: JsonValue[] = [];
  const unnamed: JsonValue[] = [];
  for (const item of merged) (orderIndex.has(keyOf(item)) ? named : unnamed).push(item);
  yield;
  const left = sortByIndex(unnamed, liveIndex, mergeKey);
  yield;
  const right = sortByIndex(named, orderIndex, mergeKey);
  yield;

  const ordered: JsonValue[] = [];
  let l = 0;
  let r = 0;
  while (l < left.length && r < right.length) {
    const leftAt = liveIndex.get(keyOf(left[l] as JsonValue));
    const rightAt = liveIndex.get(keyOf(right[r] as JsonValue));
    const leftFirst = leftAt !== undefined && rightAt !== undefined && leftAt < rightAt;
    ordered.push((leftFirst ? left[l++] : right[r++]) as JsonValue);
  }
  return [...ordered, ...left.slice(l), ...right.slice(r)];
}

/** First position of each key. */
function indexByKey(list: JsonArray, mergeKey: string): Map<JsonValue, number> {
  const index = new Map<JsonValue, number>();
  list.forEach((item, position) => {
    const key = mergeKeyOf(item, mergeKey);
    if (!index.has(key)) index.set(key, position);
  });
  return index;
}

/** Sorts entries by position. The sort is stable; entries that only delete come last. */
function sortByIndex(items: JsonArray, index: ReadonlyMap<JsonValue, number>, mergeKey: string): JsonValue[] {
  const isLast = (item: JsonValue) => isJsonObject(item) && isDeletion(item);
  const position = (item: JsonValue) => index.get(mergeKeyOf(item, mergeKey)) ?? -1;
  const kept: JsonValue[] = [];
  const last: JsonValue[] = [];
  for (const item of items) (isLast(item) ? last : kept).push(item);
  const places = kept.map(position);
  if (kept.length <= SHORT && places.some((place) => place < 0)) {
    insertEach(kept, position);
    return [...kept, ...last];
  }
  // Most lists are already in order.
  if (places.every((place, at) => at === 0 || (places[at - 1] as number) <= place)) return [...kept, ...last];
  const sorted = places.map((place, at) => ({ place, at })).sort((a, b) => a.place - b.place);
  return [...sorted.map(({ at }) => kept[at] as JsonValue), ...last];
}

/** Go sorts lists up to this length by insertion. */
const SHORT = 20;

/**
 * Insertion sort like Go's. Entries that are not in the order list (an empty order directive allows them) compare as smaller than any
 * entry, and any entry as smaller than them. Their position therefore depends on Go's algorithm.
 */
function insertEach(items: JsonValue[], position: (item: JsonValue) => number): void {
  const passes = (a: JsonValue, b: JsonValue): boolean => {
    const [from, to] = [position(a), position(b)];
    return from < 0 || to < 0 || from < to;
  };
  for (let next = 1; next < items.length; next++) {
    const item = items[next] as JsonValue;
    let at = next;
    for (; at > 0 && passes(item, items[at - 1] as JsonValue); at--) items[at] = items[at - 1] as JsonValue;
    items[at] = item;
  }
}
