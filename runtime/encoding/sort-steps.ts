import type { Steps } from "../lib/in-turns.ts";

/** Number of items that are sorted or merged in one step. */
const ITEMS_PER_STEP = 500;

/** Returns the items in order, like `toSorted`; can be interrupted. */
export function* sortSteps<T>(items: readonly T[], compare: (a: T, b: T) => number): Steps<readonly T[]> {
  let runs: T[][] = [];
  for (let at = 0; at < items.length; at += ITEMS_PER_STEP, yield)
    runs.push(items.slice(at, at + ITEMS_PER_STEP).sort(compare));
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let i = 0; i < runs.length; i += 2) merged.push(yield* mergeSteps(runs[i] as T[], runs[i + 1] ?? [], compare));
    runs = merged;
  }
  return runs[0] ?? [];
}

function* mergeSteps<T>(left: readonly T[], right: readonly T[], compare: (a: T, b: T) => number): Steps<T[]> {
  const merged: T[] = [];
  let [l, r] = [0, 0];
  while (l < left.length && r < right.length) {
    if (merged.length % ITEMS_PER_STEP === ITEMS_PER_STEP - 1) yield;
    const isLeft = compare(left[l] as T, right[r] as T) <= 0;
    merged.push((isLeft ? left[l++] : right[r++]) as T);
  }
  while (l < left.length) merged.push(left[l++] as T);
  while (r < right.length) merged.push(right[r++] as T);
  return merged;
}
