// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.
import { resourceToken } from "../../runtime/contract/resource-token.ts";
import { clusterRoleBinding as defineClusterRoleBinding, type ClusterRoleBinding } from "../../api-definitions/rbac/v1beta1/cluster-role-binding.ts";
import { clusterRole as defineClusterRole, type ClusterRole } from "../../api-definitions/rbac/v1beta1/cluster-role.ts";
import { roleBinding as defineRoleBinding, type RoleBinding } from "../../api-definitions/rbac/v1beta1/role-binding.ts";
import { role as defineRole, type Role } from "../../api-definitions/rbac/v1beta1/role.ts";

/** Grants the permissions of a ClusterRole to subjects, in all namespaces and for cluster-scoped resources. A user can only create or change a binding to a role whose permissions the user already has, unless the user has the verb `bind` on the role. */
export const clusterrolebindings = resourceToken<ClusterRoleBinding>({
  group: "rbac.authorization.k8s.io",
  version: "v1beta1",
  kind: "ClusterRoleBinding",
  resource: "clusterrolebindings",
  namespaced: false,
}, defineClusterRoleBinding);

/** Grants permissions on cluster-scoped resources, on non-resource URLs, or on resources in all namespaces. Bind it with a ClusterRoleBinding for the whole cluster, or with a RoleBinding for one namespace. A user can only create or change a role whose permissions the user already has, unless the user has the verb `escalate` on it. */
export const clusterroles = resourceToken<ClusterRole>({
  group: "rbac.authorization.k8s.io",
  version: "v1beta1",
  kind: "ClusterRole",
  resource: "clusterroles",
  namespaced: false,
}, defineClusterRole);

/** Grants the permissions of a Role or ClusterRole to subjects, within the namespace of the binding. A user can only create or change a binding to a role whose permissions the user already has, unless the user has the verb `bind` on the role. */
export const rolebindings = resourceToken<RoleBinding>({
  group: "rbac.authorization.k8s.io",
  version: "v1beta1",
  kind: "RoleBinding",
  resource: "rolebindings",
  namespaced: true,
}, defineRoleBinding);

/** Grants permissions within one namespace. Use it for permissions that one team or application needs; a RoleBinding in the same namespace grants them to subjects. A user can only create or change a role whose permissions the user already has, unless the user has the verb `escalate` on it. */
export const roles = resourceToken<Role>({
  group: "rbac.authorization.k8s.io",
  version: "v1beta1",
  kind: "Role",
  resource: "roles",
  namespaced: true,
}, defineRole);
