import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { release } from "../../release.ts";
import type { ClusterRoleBinding } from "./cluster-role-binding.ts";

export const hooks = kindHooks<ClusterRoleBinding>({
  default: ({ roleRef }) => {
    roleRef.apiGroup ||= `rbac.authorization.${release.domain}`;
  },
});
