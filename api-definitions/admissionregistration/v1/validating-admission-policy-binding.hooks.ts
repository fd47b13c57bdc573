import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import { collectErrors } from "../../../runtime/values/field-errors.ts";
import { paramRefText } from "./parameter-text.ts";
import { validateBindingSpec } from "./policy-binding-validation.ts";
import type { ValidatingAdmissionPolicyBinding } from "./validating-admission-policy-binding.ts";

export const hooks = hooksFor<ValidatingAdmissionPolicyBinding>({
  updateChecks: { asChange: 0 },
  freeFinalizers: true,
  validate: ({ spec = {} }) => collectErrors((errors) => validateBindingSpec(spec, "spec", errors)),
  cells: ({ spec }) => ({ ParamRef: paramRefText(spec?.paramRef) }),
});
