import type { ApiObject } from "./api-object.ts";

/** A kind whose objects are not stored, but computed on every read. */
export interface ComputedKind {
  /** All objects, in the storage version. */
  list(): Promise<readonly ApiObject[]>;
  /** One object. Throws 404 if it does not exist. */
  get(name: string): Promise<ApiObject>;
}
