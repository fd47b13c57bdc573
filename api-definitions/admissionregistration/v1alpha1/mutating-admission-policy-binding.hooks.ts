import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { collectErrors } from "../../../runtime/values/field-errors.ts";
import { paramRefText } from "../v1/parameter-text.ts";
import { validateParamRef, validatePolicyName } from "../v1/policy-binding-validation.ts";
import { validateMatchResources } from "../v1/rule-validation.ts";
import type { MatchResources } from "../v1/rules.ts";
import type { MutatingAdmissionPolicyBinding } from "./mutating-admission-policy-binding.ts";
import { validateMutatingOperations } from "./mutating-admission-policy-validation.ts";

export const hooks = kindHooks<MutatingAdmissionPolicyBinding>({
  validate: ({ spec = {} }) =>
    collectErrors((errors) => {
      const match = spec.matchResources as MatchResources | undefined;
      validatePolicyName(spec.policyName ?? "", "spec.policyName", errors);
      if (spec.paramRef !== undefined) validateParamRef(spec.paramRef, "spec.paramRef", errors);
      validateMatchResources(match, "spec.matchResources", errors);
      if (match !== undefined) validateMutatingOperations(match, "spec.matchResources", errors);
    }),
  cells: ({ spec }) => ({ ParamRef: paramRefText(spec?.paramRef) }),
  compatibility: {
    order: { update: ["metadataAsNew", "declared", "update"] },
    freeFinalizers: true,
  },
});
