import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import { collectErrors } from "../../../runtime/lib/collect-errors.ts";
import { paramKindText } from "../v1/parameter-text.ts";
import type { MutatingAdmissionPolicy } from "./mutating-admission-policy.ts";
import { validateMutatingPolicySpec } from "./mutating-admission-policy-validation.ts";

export const hooks = hooksFor<MutatingAdmissionPolicy>({
  updateChecks: { asChange: 0 },
  freeFinalizers: true,
  validate: ({ spec = {} }, { featureEnabled }) =>
    collectErrors((errors) => {
      validateMutatingPolicySpec(spec, undefined, "spec", errors, featureEnabled("AuthorizeWithSelectors"));
    }),
  validateUpdate: ({ spec = {} }, old, { featureEnabled }) =>
    collectErrors((errors) => {
      validateMutatingPolicySpec(spec, old.spec ?? {}, "spec", errors, featureEnabled("AuthorizeWithSelectors"));
    }),
  cells: ({ spec }) => ({ Mutations: spec?.mutations?.length ?? 0, ParamKind: paramKindText(spec?.paramKind) }),
});
