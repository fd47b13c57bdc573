import { createRequire } from "node:module";

// The package is CommonJS with a `default` property, which ES module loaders handle differently. `require` is unambiguous.
const { default: SortedBTree } = createRequire(import.meta.url)("sorted-btree") as typeof import("sorted-btree");

/** A map in key order whose copies share structure: `clone()` takes constant time, and later changes copy only affected nodes. */
export type SortedMap<K, V> = InstanceType<typeof SortedBTree<K, V>>;

/** Creates an empty map. Keys are compared natively, which is right for strings and numbers. */
export function newSortedMap<K extends string | number, V>(): SortedMap<K, V> {
  return new SortedBTree<K, V>(undefined, compareNatively);
}

function compareNatively(a: string | number, b: string | number): number {
  return a > b ? 1 : a < b ? -1 : 0;
}
