import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { METADATA_AS_CHANGE, METADATA_AS_NEW } from "../../../runtime/contract/update-order.ts";
import { collectErrors } from "../../../runtime/values/field-errors.ts";
import { bindingCells } from "./binding-cells.ts";
import { defaultBinding } from "./binding-defaults.ts";
import { validateBinding, validateRoleUnchanged } from "./binding-validation.ts";
import type { ClusterRoleBinding } from "./cluster-role-binding.ts";
import { validateRoleName } from "./role-names.ts";

export const hooks = kindHooks<ClusterRoleBinding>({
  default: defaultBinding,
  validate: (binding) => collectErrors((errors) => validateBinding(binding, false, errors)),
  cells: bindingCells,
  validation: {
    name: validateRoleName,
    // Kubernetes checks it on its own and again as part of the change: clients see causes twice.
    update: (binding, old) =>
      collectErrors((errors) => {
        errors.push(METADATA_AS_NEW);
        validateBinding(binding, false, errors);
        errors.push(METADATA_AS_NEW);
        validateBinding(binding, false, errors);
        errors.push(METADATA_AS_CHANGE);
        validateRoleUnchanged(binding, old, errors);
      }),
  },
});
