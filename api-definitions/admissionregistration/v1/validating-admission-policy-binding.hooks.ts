import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { collectErrors } from "../../../runtime/values/field-errors.ts";
import { paramRefText } from "./parameter-text.ts";
import { validateBindingSpec } from "./policy-binding-validation.ts";
import type { ValidatingAdmissionPolicyBinding } from "./validating-admission-policy-binding.ts";

export const hooks = kindHooks<ValidatingAdmissionPolicyBinding>({
  validate: ({ spec = {} }) => collectErrors((errors) => validateBindingSpec(spec, "spec", errors)),
  cells: ({ spec }) => ({ ParamRef: paramRefText(spec?.paramRef) }),
  compatibility: {
    order: { update: ["metadataAsNew", "declared", "update"] },
    freeFinalizers: true,
  },
});
