import { UnhealthyPodEvictionPolicyType } from "../../../generated/values/policy.v1.ts";
import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import { collectErrors, invalidField, unsupportedField } from "../../../runtime/values/field-errors.ts";
import { checkPathSegment, checkPathSegmentPrefix } from "../../../runtime/values/names.ts";
import { validateAtMost100Percent, validateIntOrPercent } from "../../apps/v1/int-or-percent.ts";
import { validateCounts } from "../../apps/v1/workload-validation.ts";
import { shownAs } from "../../go-types.ts";
import { validateConditions } from "../../meta/v1/condition-validation.ts";
import { isUnsoundSelector, validateLabelSelector } from "../../meta/v1/label-selector-validation.ts";
import type {
  PodDisruptionBudget,
  PodDisruptionBudgetSpec,
  PodDisruptionBudgetStatus,
} from "./pod-disruption-budget.ts";

const EVICTION_POLICIES = [...UnhealthyPodEvictionPolicyType].sort();

export const hooks = hooksFor<PodDisruptionBudget>({
  updateChecks: () => ({ asNew: 0, asChange: 0 }),
  // Kubernetes has no rules for these names and finalizers beyond those for every object.
  validateName: (name, isPrefix) => (isPrefix ? checkPathSegmentPrefix(name) : checkPathSegment(name)),
  freeFinalizers: true,
  checksMetadataLast: true,
  validate: ({ spec = {} }) => collectErrors((errors) => validateBudget(spec, undefined, "spec", errors)),
  validateUpdate: ({ spec = {} }, old) => collectErrors((errors) => validateBudget(spec, old.spec, "spec", errors)),
  validateSubresource: {
    status: ({ status = {} as PodDisruptionBudgetStatus }) =>
      collectErrors((errors) => {
        validateConditions(status.conditions, "status.conditions", errors);
        const counts = ["disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods"] as const;
        validateCounts(status, counts, "status", errors);
      }),
  },
  cells: ({ spec }) => ({
    "Min Available": String(spec?.minAvailable ?? "N/A"),
    "Max Unavailable": String(spec?.maxUnavailable ?? "N/A"),
  }),
});

function validateBudget(
  spec: PodDisruptionBudgetSpec,
  old: PodDisruptionBudgetSpec | undefined,
  path: string,
  errors: FieldError[],
): void {
  if (spec.minAvailable !== undefined && spec.maxUnavailable !== undefined) {
    errors.push(
      invalidField(
        path,
        shownAs("policy.PodDisruptionBudgetSpec", spec),
        "minAvailable and maxUnavailable cannot be both set",
      ),
    );
  }
  for (const name of ["minAvailable", "maxUnavailable"] as const) {
    const value = spec[name];
    if (value === undefined) continue;
    validateIntOrPercent(value, `${path}.${name}`, errors);
    validateAtMost100Percent(value, `${path}.${name}`, errors);
  }
  validateLabelSelector(spec.selector, `${path}.selector`, errors, isUnsoundSelector(old?.selector));
  const policy = spec.unhealthyPodEvictionPolicy;
  if (policy !== undefined && !EVICTION_POLICIES.includes(policy)) {
    errors.push(unsupportedField(`${path}.unhealthyPodEvictionPolicy`, policy, EVICTION_POLICIES));
  }
}
