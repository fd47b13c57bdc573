import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { collectErrors, invalidField, requiredField } from "../../../runtime/values/field-errors.ts";
import { isUnsoundSelector, validateLabelSelector } from "../../meta/v1/label-selector-validation.ts";
import type { AggregationRule, ClusterRole } from "./cluster-role.ts";
import { validateRoleName } from "./role-names.ts";
import { validateRules } from "./rule-validation.ts";

export const hooks = kindHooks<ClusterRole>({
  validate: (role, { old }) => collectErrors((errors) => validateClusterRole(role, old, errors)),
  validation: {
    name: validateRoleName,
  },
  compatibility: {
    // Kubernetes validates the role by itself and again as part of the update: clients see causes twice.
    order: { update: ["metadataAsNew", "declared", "validate", "metadataAsNew", "validate", "metadataAsChange"] },
  },
});

function validateClusterRole(
  { rules, aggregationRule }: ClusterRole,
  old: ClusterRole | undefined,
  errors: FieldError[],
): void {
  validateRules(rules, false, errors);
  if (aggregationRule === undefined) return;
  const isLenient = (old?.aggregationRule?.clusterRoleSelectors ?? []).some(isUnsoundSelector);
  validateAggregation(aggregationRule, isLenient, errors);
}

/** Validates the selectors of an aggregated role. */
function validateAggregation(
  { clusterRoleSelectors = [] }: AggregationRule,
  isLenient: boolean,
  errors: FieldError[],
): void {
  const path = "aggregationRule.clusterRoleSelectors";
  if (clusterRoleSelectors.length === 0) {
    errors.push(requiredField(path, "at least one clusterRoleSelector required if aggregationRule is non-nil"));
  }
  for (const [index, selector] of clusterRoleSelectors.entries()) {
    validateLabelSelector(selector, `${path}[${index}]`, errors, isLenient);
    // As in Kubernetes, this check accepts only selectors that are also valid in a new role.
    if (isUnsoundSelector(selector))
      errors.push(invalidField(`${path}[${index}]`, undefined, "invalid label selector."));
  }
}
