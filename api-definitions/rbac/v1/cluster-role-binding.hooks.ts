import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import { bindingCells } from "./binding-cells.ts";
import { defaultBinding } from "./binding-defaults.ts";
import type { ClusterRoleBinding } from "./cluster-role-binding.ts";
import { validateRoleName } from "./role-names.ts";

export const hooks = hooksFor<ClusterRoleBinding>({
  defaults: defaultBinding,
  validateName: validateRoleName,
  cells: bindingCells,
});
