import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { release } from "../../release.ts";
import type { RoleBinding } from "./role-binding.ts";

export const hooks = kindHooks<RoleBinding>({
  default: ({ roleRef }) => {
    roleRef.apiGroup ||= `rbac.authorization.${release.domain}`;
  },
});
