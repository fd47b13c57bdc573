import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
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
    update: (binding, old) => collectErrors((errors) => validateRoleUnchanged(binding, old, errors)),
  },
  compatibility: {
    // Kubernetes validates the binding by itself and again as part of the update: clients see causes twice.
    order: {
      update: ["metadataAsNew", "declared", "validate", "metadataAsNew", "validate", "metadataAsChange", "update"],
    },
  },
});
