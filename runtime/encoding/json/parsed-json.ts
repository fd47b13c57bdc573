import type { Repeated } from "./merge-repeated.ts";

/** A parsed document, with facts about its text that plain values do not contain. */
export interface ParsedJson {
  readonly value: unknown;
  /** Nesting depth of objects and lists. Does not count known field sets that were not parsed again. */
  readonly depth: number;
  /** Keys that appeared more than once, by object. The last value was used. Absent if there are none. */
  readonly duplicates?: ReadonlyMap<object, readonly string[]>;
  /** Earlier and last value of each such key, if both are objects or lists. Nested pairs come first. */
  readonly repeated?: readonly Repeated[];
  /** The first number beyond the range of a double, as written. Set only if float literals are kept. */
  readonly huge?: string;
}
