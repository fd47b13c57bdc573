import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { kind, type ListAtomic } from "../../vocabulary.ts";
import type { RoleRef, Subject } from "./binding.ts";

/** Gives a role to somebody in the whole cluster. */
export interface ClusterRoleBinding extends ClusterScoped {
  /** Who gets the role. */
  subjects?: ListAtomic<Subject>;
  /** The role; fixed for good. */
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
    { name: "Role", type: "string", description: "The role." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
    { name: "Users", type: "string", priority: 1, description: "Users who get it." },
    { name: "Groups", type: "string", priority: 1, description: "Groups that get it." },
    { name: "ServiceAccounts", type: "string", priority: 1, description: "Service accounts that get it." },
  ],
});
