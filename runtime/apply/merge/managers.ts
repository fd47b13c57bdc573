import type { FieldSet } from "../fieldpath/field-set.ts";

/** The fields that one manager owns, as paths in the version it used. */
export interface ManagerFields {
  readonly set: FieldSet;
  readonly apiVersion: string;
  /** Whether the fields are owned by apply. If not, by updates. */
  readonly applied: boolean;
}

/** Keyed by manager identity. Operations return a new map and never change their argument. */
export type Managers = ReadonlyMap<string, ManagerFields>;
