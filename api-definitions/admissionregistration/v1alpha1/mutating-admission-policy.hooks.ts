import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { collectErrors } from "../../../runtime/values/field-errors.ts";
import { paramKindText } from "../v1/parameter-text.ts";
import type { MutatingAdmissionPolicy } from "./mutating-admission-policy.ts";
import { validateMutatingPolicySpec } from "./mutating-admission-policy-validation.ts";

export const hooks = kindHooks<MutatingAdmissionPolicy>({
  validate: ({ spec = {} }, context) =>
    collectErrors((errors) => validateMutatingPolicySpec(spec, undefined, "spec", errors, context)),
  cells: ({ spec }) => ({ Mutations: spec?.mutations?.length ?? 0, ParamKind: paramKindText(spec?.paramKind) }),
  validation: {
    update: ({ spec = {} }, old, context) =>
      collectErrors((errors) => validateMutatingPolicySpec(spec, old.spec ?? {}, "spec", errors, context)),
  },
  compatibility: {
    order: { update: ["metadataAsNew", "declared", "update"] },
    freeFinalizers: true,
  },
});
