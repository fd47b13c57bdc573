import type { FieldSet } from "../fieldpath/field-set.ts";

/** The fields that one manager owns, as paths of the version it used. */
export interface ManagerFields {
  readonly set: FieldSet;
  readonly apiVersion: string;
  /** By apply, rather than by updates. */
  readonly applied: boolean;
}

/** By manager identity. Operations return a new map and never change their argument. */
export type Managers = ReadonlyMap<string, ManagerFields>;
