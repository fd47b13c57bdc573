import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { collectErrors, forbiddenField, invalidField } from "../../../runtime/values/field-errors.ts";
import type { Lease } from "./lease.ts";
import { validateLeaseStrategy } from "./strategy-validation.ts";

export const hooks = kindHooks<Lease>({
  validate: ({ spec = {} }) =>
    collectErrors((errors) => {
      const { leaseDurationSeconds: duration, leaseTransitions: transitions, strategy, preferredHolder } = spec;
      if (duration !== undefined && duration <= 0) {
        errors.push(invalidField("spec.leaseDurationSeconds", duration, "must be greater than 0"));
      }
      if (transitions !== undefined && transitions < 0) {
        errors.push(invalidField("spec.leaseTransitions", transitions, "must be greater than or equal to 0"));
      }
      if (strategy !== undefined) validateLeaseStrategy(strategy, "spec.strategy", errors);
      if (preferredHolder && !strategy) {
        errors.push(forbiddenField("spec.preferredHolder", "may only be specified if `strategy` is defined"));
      }
    }),
  compatibility: {
    order: { update: ["metadataAsChange", "declared", "update"] },
    freeFinalizers: true,
  },
});
