import type { FieldSet } from "../fieldpath/field-set.ts";

/** How one value differs from another. No path is in more than one of the sets. */
export interface Comparison {
  readonly added: FieldSet;
  readonly removed: FieldSet;
  readonly modified: FieldSet;
}
