import { UnhealthyPodEvictionPolicyType } from "../../../generated/values/policy.v1.ts";
import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
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

export const hooks = kindHooks<PodDisruptionBudget>({
  validate: ({ spec = {} }) => collectErrors((errors) => validateBudget(spec, undefined, "spec", errors)),
  cells: ({ spec }) => ({
    "Min Available": String(spec?.minAvailable ?? "N/A"),
    "Max Unavailable": String(spec?.maxUnavailable ?? "N/A"),
  }),
  validation: {
    // Kubernetes has no rules for these names and finalizers beyond those for every object.
    name: (name, isPrefix) => (isPrefix ? checkPathSegmentPrefix(name) : checkPathSegment(name)),
    update: ({ spec = {} }, old) => collectErrors((errors) => validateBudget(spec, old.spec, "spec", errors)),
    subresources: {
      status: ({ status = {} as PodDisruptionBudgetStatus }, _old, { apiVersion }) =>
        collectErrors((errors) => {
          validateConditions(status.conditions, "status.conditions", errors);
          // Counts in v1beta1 have never been validated.
          if (apiVersion.endsWith("/v1beta1")) return;
          const counts = ["disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods"] as const;
          validateCounts(status, counts, "status", errors);
        }),
    },
  },
  compatibility: {
    order: { update: ["declared", "update"], subresources: { "*": ["declared", "update"] } },
    freeFinalizers: true,
    checksMetadataLast: true,
  },
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
