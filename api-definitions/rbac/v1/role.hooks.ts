import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { collectErrors } from "../../../runtime/values/field-errors.ts";
import type { Role } from "./role.ts";
import { validateRoleName } from "./role-names.ts";
import { validateRules } from "./rule-validation.ts";

export const hooks = kindHooks<Role>({
  validate: ({ rules }) => collectErrors((errors) => validateRules(rules, true, errors)),
  validation: {
    name: validateRoleName,
  },
  compatibility: {
    // Kubernetes validates the role by itself and again as part of the update: clients see causes twice.
    order: { update: ["metadataAsNew", "declared", "validate", "metadataAsNew", "validate", "metadataAsChange"] },
  },
});
