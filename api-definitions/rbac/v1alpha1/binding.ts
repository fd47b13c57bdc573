import type { OmitZero } from "../../vocabulary.ts";

/** The role that is given. */
export interface RoleRef {
  /** Group of its kind. */
  apiGroup: string;
  /** `Role` or `ClusterRole`. */
  kind: string;
  /** Its name. */
  name: string;
}

/** Somebody who gets a role. */
export interface Subject {
  /** `User`, `Group` or `ServiceAccount`. */
  kind: string;
  /** Group and version of the kind. */
  apiVersion?: string & OmitZero;
  /** Name of the user, group or account. */
  name: string;
  /** Namespace of a service account. */
  namespace?: string & OmitZero;
}
