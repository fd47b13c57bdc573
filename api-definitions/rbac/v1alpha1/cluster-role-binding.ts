import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { kind, type ListAtomic } from "../../vocabulary.ts";
import type { RoleRef, Subject } from "./binding.ts";

/**
 * Grants the permissions of a ClusterRole to subjects, in all namespaces and for cluster-scoped resources. A user can
 * only create or change a binding to a role whose permissions the user already has, unless the user has the verb `bind`
 * on the role.
 */
export interface ClusterRoleBinding extends ClusterScoped {
  /** Users, groups and service accounts to which the role is granted. If empty, the binding grants nothing. */
  subjects?: ListAtomic<Subject>;
  /** ClusterRole that is granted. Cannot be changed after creation: delete the binding and create a new one instead. */
  roleRef: RoleRef;
}

export const clusterRoleBinding = kind<ClusterRoleBinding>({
  plural: "clusterrolebindings",
  introduced: "1.3",
  deprecated: "1.17",
  removed: "1.23",
  replacement: "rbac.authorization.<domain>/v1 ClusterRoleBinding",
  offByDefault: true,
  createOnUpdate: true,
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "Role", type: "string", description: "Kind and name of the role." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
    { name: "Users", type: "string", priority: 1, description: "Users to which the role is granted." },
    { name: "Groups", type: "string", priority: 1, description: "Groups to which the role is granted." },
    {
      name: "ServiceAccounts",
      type: "string",
      priority: 1,
      description: "Service accounts to which the role is granted.",
    },
  ],
});
