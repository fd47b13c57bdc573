import type { FieldSet } from "../fieldpath/field-set.ts";

/** The difference between two values. No path is in more than one of the sets. */
export interface Comparison {
  readonly added: FieldSet;
  readonly removed: FieldSet;
  readonly modified: FieldSet;
}
