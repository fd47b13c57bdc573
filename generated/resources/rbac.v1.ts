// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.
import { resourceToken } from "../../runtime/contract/resource-token.ts";
import type { ClusterRoleBinding } from "../../api-definitions/rbac/v1/cluster-role-binding.ts";
import type { ClusterRole } from "../../api-definitions/rbac/v1/cluster-role.ts";
import type { RoleBinding } from "../../api-definitions/rbac/v1/role-binding.ts";
import type { Role } from "../../api-definitions/rbac/v1/role.ts";

/** Gives a role to somebody in the whole cluster. */
export const clusterrolebindings = resourceToken<ClusterRoleBinding>({
  group: "rbac.authorization.k8s.io",
  version: "v1",
  kind: "ClusterRoleBinding",
  resource: "clusterrolebindings",
  namespaced: false,
});

/** What somebody may do, in the whole cluster or in any namespace. */
export const clusterroles = resourceToken<ClusterRole>({
  group: "rbac.authorization.k8s.io",
  version: "v1",
  kind: "ClusterRole",
  resource: "clusterroles",
  namespaced: false,
});

/** Gives a role to somebody in a namespace. */
export const rolebindings = resourceToken<RoleBinding>({
  group: "rbac.authorization.k8s.io",
  version: "v1",
  kind: "RoleBinding",
  resource: "rolebindings",
  namespaced: true,
});

/** What somebody may do in a namespace. */
export const roles = resourceToken<Role>({
  group: "rbac.authorization.k8s.io",
  version: "v1",
  kind: "Role",
  resource: "roles",
  namespaced: true,
});
