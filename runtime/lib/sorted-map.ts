import { createRequire } from "node:module";

// The package is CommonJS with a `default` property, which ES module loaders disagree about; `require` is unambiguous.
const { default: SortedBTree } = createRequire(import.meta.url)("sorted-btree") as typeof import("sorted-btree");

/** A map in key order whose copies share structure: `clone()` takes constant time, changes then copy what they touch. */
export type SortedMap<K, V> = InstanceType<typeof SortedBTree<K, V>>;

/** Strings and numbers compare natively, which is what keys and revisions are. */
export function newSortedMap<K extends string | number, V>(): SortedMap<K, V> {
  return new SortedBTree<K, V>(undefined, compareNatively);
}

function compareNatively(a: string | number, b: string | number): number {
  return a > b ? 1 : a < b ? -1 : 0;
}
