import type { Steps } from "../../lib/in-turns.ts";
import { isJsonObject, type JsonArray, type JsonValue } from "../../lib/json-object.ts";
import { isDeletion } from "./directives.ts";
import { mergeKeyOf } from "./merge-key.ts";

/**
 * Puts merged entries in order: those that `order` (the patch, or its order directive) names as it names them, the
 * others as the live list has them; where the two meet, live order decides if it knows both, else the patch comes
 * first. May be interrupted.
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

/** Stable; entries that only delete go last. */
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
  // Most lists are in order already.
  if (places.every((place, at) => at === 0 || (places[at - 1] as number) <= place)) return [...kept, ...last];
  const sorted = places.map((place, at) => ({ place, at })).sort((a, b) => a.place - b.place);
  return [...sorted.map(({ at }) => kept[at] as JsonValue), ...last];
}

/** So long a list is sorted by insertion in Go. */
const SHORT = 20;

/**
 * Entries that the list to go by does not have (an order directive that is empty lets them through) pass every entry that
 * they meet, and are passed by every one: where they end depends on how Go sorts.
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
