import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { kind, type ListAtomic } from "../../vocabulary.ts";
import type { RoleRef, Subject } from "./binding.ts";

export interface ClusterRoleBinding extends ClusterScoped {
  subjects?: ListAtomic<Subject>;
  roleRef: RoleRef;
}

export const clusterRoleBinding = kind<ClusterRoleBinding>({
  plural: "clusterrolebindings",
  introduced: "1.8",
  createOnUpdate: true,
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name" },
    { name: "Role", type: "string" },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp" },
    { name: "Users", type: "string", priority: 1 },
    { name: "Groups", type: "string", priority: 1 },
    { name: "ServiceAccounts", type: "string", priority: 1 },
  ],
});
