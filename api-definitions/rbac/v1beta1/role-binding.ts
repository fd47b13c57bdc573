import type { Namespaced } from "../../meta/v1/type-meta.ts";
import { kind, type ListAtomic } from "../../vocabulary.ts";
import type { RoleRef, Subject } from "./binding.ts";

export interface RoleBinding extends Namespaced {
  subjects?: ListAtomic<Subject>;
  roleRef: RoleRef;
}

export const roleBinding = kind<RoleBinding>({
  plural: "rolebindings",
  introduced: "1.6",
  deprecated: "1.17",
  removed: "1.22",
  replacement: "rbac.authorization.<domain>/v1 RoleBinding",
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
