import type { Steps } from "./in-turns.ts";

/**
 * Compares strings by their UTF-8 bytes, which is the order of keys in Kubernetes. It differs from JavaScript's `<` only between characters
 * outside the basic plane and those at the end of that plane.
 */
export function compareUtf8(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left === right) continue;
    return rank(left) - rank(right);
  }
  return a.length - b.length;
}

/** Moves surrogates, which represent the highest code points, above the rest of the basic plane. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/** Whether keys are in order. Keys of stored objects nearly always are. */
export function isSortedUtf8(keys: readonly string[]): boolean {
  for (let i = 1; i < keys.length; i++) {
    if (compareUtf8(keys[i - 1] as string, keys[i] as string) > 0) return false;
  }
  return true;
}

/** Number of items that are sorted or merged in one step. */
const ITEMS_PER_STEP = 5000;

/** Like `sortUtf8`, for many keys; can be interrupted. */
export function* sortUtf8Steps(keys: string[]): Steps<string[]> {
  if (keys.length <= ITEMS_PER_STEP) return sortUtf8(keys);
  if (isSortedUtf8(keys)) return keys;
  yield;
  return yield* sortSteps(keys, compareUtf8);
}

/** Returns the items in order. Stable. Can be interrupted: parts are sorted, then merged. */
export function* sortSteps<T>(items: readonly T[], compare: (a: T, b: T) => number): Steps<T[]> {
  let parts: T[][] = [];
  for (let at = 0; at < items.length; at += ITEMS_PER_STEP, yield)
    parts.push(items.slice(at, at + ITEMS_PER_STEP).sort(compare));
  while (parts.length > 1) {
    const merged: T[][] = [];
    for (let i = 0; i < parts.length; i += 2) merged.push(yield* merge(parts[i] as T[], parts[i + 1] ?? [], compare));
    parts = merged;
  }
  return parts[0] ?? [];
}

function* merge<T>(a: readonly T[], b: readonly T[], compare: (a: T, b: T) => number): Steps<T[]> {
  const merged: T[] = [];
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    if (merged.length % ITEMS_PER_STEP === 0) yield;
    const isFirst = j === b.length || (i < a.length && compare(a[i] as T, b[j] as T) <= 0);
    merged.push((isFirst ? a[i++] : b[j++]) as T);
  }
  return merged;
}

/** Sorts keys in place unless they are already in order. */
export function sortUtf8(keys: string[]): string[] {
  return isSortedUtf8(keys) ? keys : keys.sort(compareUtf8);
}
