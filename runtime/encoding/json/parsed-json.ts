import type { Repeated } from "./merge-repeated.ts";

/** A parsed document and what plain values cannot tell about it. */
export interface ParsedJson {
  readonly value: unknown;
  /** How deep objects and lists nest; those that were known from before and not parsed again are not counted. */
  readonly depth: number;
  /** Keys that appeared more than once, by the object that had them; the last value won. Absent when there are none. */
  readonly duplicates?: ReadonlyMap<object, readonly string[]>;
  /** Earlier and last value of such a key, where both are objects or lists; nested ones come first. */
  readonly repeated?: readonly Repeated[];
  /** The first number beyond all that a double can hold, as it was written; only where floats are kept as they were. */
  readonly huge?: string;
}
