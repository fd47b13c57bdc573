import type { AtomicStruct, OmitZero } from "../../vocabulary.ts";

/**
 * Refers to the role that a binding grants. If the role does not exist, the binding grants nothing until it is created.
 */
export interface RoleRef extends AtomicStruct {
  /** API group of the role. Defaults to `rbac.authorization.k8s.io`, the only allowed value. */
  apiGroup: string;
  /** Kind of the role: `ClusterRole`, or `Role`, which only a RoleBinding can refer to. */
  kind: string;
  /** Name of the role. Must not be empty. */
  name: string;
}

/**
 * A user, group or service account to which a binding grants a role. Users and groups are names that authentication
 * returns; there are no objects for them.
 */
export interface Subject extends AtomicStruct {
  /** Kind of the subject: `User`, `Group` or `ServiceAccount`. */
  kind: string;
  /**
   * API group of the subject. Defaults to `rbac.authorization.k8s.io` for users and groups, which allow no other value.
   * Must be empty for service accounts.
   */
  apiGroup?: string & OmitZero;
  /** Name of the user, group or service account. Must not be empty. */
  name: string;
  /**
   * Namespace of the service account. In a RoleBinding it defaults to the namespace of the binding; in a
   * ClusterRoleBinding it is required. Leave it empty for users and groups.
   */
  namespace?: string & OmitZero;
}
