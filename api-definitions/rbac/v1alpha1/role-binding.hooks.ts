import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import { release } from "../../release.ts";
import type { RoleBinding } from "./role-binding.ts";

export const hooks = hooksFor<RoleBinding>({
  defaults: ({ roleRef }) => {
    roleRef.apiGroup ||= `rbac.authorization.${release.domain}`;
  },
});
