import { compareUtf8 } from "../../lib/compare-utf8.ts";
import type { FieldSet } from "../fieldpath/field-set.ts";
import type { Path } from "../fieldpath/path.ts";

/** A field that the request would change and that another manager owns. */
export interface Conflict {
  /** Identity key of the owner. */
  readonly manager: string;
  readonly path: Path;
}

/** Thrown by an apply with conflicts, unless it is forced. */
export class MergeConflictError extends Error {
  readonly code = "MergeConflict";
  readonly conflicts: readonly Conflict[];

  constructor(conflicts: readonly Conflict[]) {
    super(`${conflicts.length} conflicts with other managers`);
    this.conflicts = conflicts;
  }
}

/** Returns conflicts grouped by manager, managers and fields in order. */
export function conflictsOf(sets: ReadonlyMap<string, FieldSet>): Conflict[] {
  const managers = [...sets.keys()].sort(compareUtf8);
  return managers.flatMap((manager) => [...(sets.get(manager) as FieldSet).paths()].map((path) => ({ manager, path })));
}
