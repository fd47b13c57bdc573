import type { OmitZero } from "../../vocabulary.ts";

/**
 * Refers to the role that a binding grants. If the role does not exist, the binding grants nothing until it is created.
 */
export interface RoleRef {
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
export interface Subject {
  /** Kind of the subject: `User`, `Group` or `ServiceAccount`. */
  kind: string;
  /**
   * API group and version of the subject. The server ignores the value for users, groups and service accounts, and
   * returns `v1` for service accounts and `rbac.authorization.k8s.io/v1alpha1` for users and groups.
   */
  apiVersion?: string & OmitZero;
  /**
   * Name of the user, group or service account. Must not be empty. A user with the name `*` stands for the group
   * `system:authenticated`.
   */
  name: string;
  /**
   * Namespace of the service account. In a RoleBinding it defaults to the namespace of the binding; in a
   * ClusterRoleBinding it is required. Leave it empty for users and groups.
   */
  namespace?: string & OmitZero;
}
