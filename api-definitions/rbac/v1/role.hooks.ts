import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { METADATA_AS_CHANGE, METADATA_AS_NEW } from "../../../runtime/contract/update-order.ts";
import { collectErrors } from "../../../runtime/values/field-errors.ts";
import type { Role } from "./role.ts";
import { validateRoleName } from "./role-names.ts";
import { validateRules } from "./rule-validation.ts";

export const hooks = kindHooks<Role>({
  validate: ({ rules }) => collectErrors((errors) => validateRules(rules, true, errors)),
  validation: {
    name: validateRoleName,
    // Kubernetes checks it on its own and again as part of the change: clients see causes twice.
    update: ({ rules }) =>
      collectErrors((errors) => {
        errors.push(METADATA_AS_NEW);
        validateRules(rules, true, errors);
        errors.push(METADATA_AS_NEW);
        validateRules(rules, true, errors);
        errors.push(METADATA_AS_CHANGE);
      }),
  },
});
