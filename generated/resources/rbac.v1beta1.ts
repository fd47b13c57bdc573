// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.
import { resourceToken } from "../../runtime/contract/resource-token.ts";
import type { ClusterRoleBinding } from "../../api-definitions/rbac/v1beta1/cluster-role-binding.ts";
import type { ClusterRole } from "../../api-definitions/rbac/v1beta1/cluster-role.ts";
import type { RoleBinding } from "../../api-definitions/rbac/v1beta1/role-binding.ts";
import type { Role } from "../../api-definitions/rbac/v1beta1/role.ts";

export const clusterrolebindings = resourceToken<ClusterRoleBinding>({
  group: "rbac.authorization.k8s.io",
  version: "v1beta1",
  kind: "ClusterRoleBinding",
  resource: "clusterrolebindings",
  namespaced: false,
});

export const clusterroles = resourceToken<ClusterRole>({
  group: "rbac.authorization.k8s.io",
  version: "v1beta1",
  kind: "ClusterRole",
  resource: "clusterroles",
  namespaced: false,
});

export const rolebindings = resourceToken<RoleBinding>({
  group: "rbac.authorization.k8s.io",
  version: "v1beta1",
  kind: "RoleBinding",
  resource: "rolebindings",
  namespaced: true,
});

export const roles = resourceToken<Role>({
  group: "rbac.authorization.k8s.io",
  version: "v1beta1",
  kind: "Role",
  resource: "roles",
  namespaced: true,
});
