import { FieldSet } from "./field-set.ts";
import type { Path } from "./path.ts";

/** Restricts a set to the paths that a request may own. */
export type FieldFilter = (set: FieldSet) => FieldSet;

/** Returns a filter that removes the given paths and everything below them. */
export function excludeFields(...paths: readonly Path[]): FieldFilter {
  const excluded = FieldSet.of(...paths);
  return (set) => set.recursiveDifference(excluded);
}
