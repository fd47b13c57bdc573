import type { FieldSet } from "../fieldpath/field-set.ts";

/** What one manager owns, in the words of the version it used. */
export interface ManagerFields {
  readonly set: FieldSet;
  readonly apiVersion: string;
  /** By apply, rather than by updates. */
  readonly applied: boolean;
}

/** By manager identity. Operations answer a new map and never change one they were given. */
export type Managers = ReadonlyMap<string, ManagerFields>;
