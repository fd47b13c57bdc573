import { removedIn116 } from "./removed/in-1.16.ts";
import { removedIn122 } from "./removed/in-1.22.ts";
import { removedIn125 } from "./removed/in-1.25.ts";
import { removedSince126 } from "./removed/since-1.26.ts";

/** One kind of one row of table 9.3: what was removed when, an object made through it, and what its replacement shows of it. */
export interface Removal {
  readonly removed: string;
  /** Path of the collection in the old version, `<domain>` filled in; namespaced ones in `default`. */
  readonly old: string;
  readonly kind: string;
  /** Where the object is found afterwards; undefined when nothing replaces the kind. */
  readonly replacement?: string;
  /** Another version that the table names as a replacement. */
  readonly alternative?: string;
  readonly body: Record<string, unknown>;
  /** What is found through the replacement; undefined for no notable change. */
  readonly becomes?: Record<string, unknown>;
  /** Answered rather than stored: there is nothing to find again. */
  readonly virtual?: true;
  /** Words the warning must hold, when the replacement is not named. */
  readonly warning?: string;
  /** What the replacement makes of objects that come through it: its own defaults, and what it refuses. */
  readonly anew?: readonly Anew[];
}

/** An object for the replacement. `becomes` is what it answers; `refused` are words of its refusal. */
export interface Anew {
  readonly body: Record<string, unknown>;
  readonly becomes?: Record<string, unknown>;
  readonly refused?: string;
}

export const removals: readonly Removal[] = [...removedSince126, ...removedIn125, ...removedIn122, ...removedIn116];
