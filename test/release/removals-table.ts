import { removedIn116 } from "./removed/in-1.16.ts";
import { removedIn122 } from "./removed/in-1.22.ts";
import { removedIn125 } from "./removed/in-1.25.ts";
import { removedSince126 } from "./removed/since-1.26.ts";

/** One kind in one row of table 9.3: what was removed and when, an object created through it, and how its replacement shows the object. */
export interface Removal {
  readonly removed: string;
  /** Path of the collection in the old version, with `<domain>` filled in; in the namespace `default` for namespaced kinds. */
  readonly old: string;
  readonly kind: string;
  /** Path of the object in the replacement; undefined if nothing replaces the kind. */
  readonly replacement?: string;
  /** Another version that the table names as replacement. */
  readonly alternative?: string;
  readonly body: Record<string, unknown>;
  /** Expected parts of the object in the replacement; undefined if there is no notable change. */
  readonly becomes?: Record<string, unknown>;
  /** A virtual resource: its objects are not stored, so they cannot be read again. */
  readonly virtual?: true;
  /** Words that the warning must contain if it does not name the replacement. */
  readonly warning?: string;
  /** Objects created through the replacement, which show its own defaults and what it rejects. */
  readonly anew?: readonly Anew[];
}

/** An object for the replacement. `becomes` is the expected response; `refused` are words of the rejection. */
export interface Anew {
  readonly body: Record<string, unknown>;
  readonly becomes?: Record<string, unknown>;
  readonly refused?: string;
}

export const removals: readonly Removal[] = [...removedSince126, ...removedIn125, ...removedIn122, ...removedIn116];
