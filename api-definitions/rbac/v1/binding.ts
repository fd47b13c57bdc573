import type { AtomicStruct, OmitZero } from "../../vocabulary.ts";

/** The role that is given. */
export interface RoleRef extends AtomicStruct {
  /** Group of its kind. */
  apiGroup: string;
  /** `Role` or `ClusterRole`. */
  kind: string;
  /** Its name. */
  name: string;
}

/** Somebody who gets a role. */
export interface Subject extends AtomicStruct {
  /** `User`, `Group` or `ServiceAccount`. */
  kind: string;
  /** Group of the kind. */
  apiGroup?: string & OmitZero;
  /** Name of the user, group or account. */
  name: string;
  /** Namespace of a service account. */
  namespace?: string & OmitZero;
}
