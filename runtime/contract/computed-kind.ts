import type { ApiObject } from "./api-object.ts";

/** A kind whose objects nobody stores: they are worked out whenever somebody reads them. */
export interface ComputedKind {
  /** All objects there are, in the version that is stored of other kinds. */
  list(): Promise<readonly ApiObject[]>;
  /** One of them. Throws 404 where there is none of that name. */
  get(name: string): Promise<ApiObject>;
}
