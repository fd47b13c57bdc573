import { HPAScalingPolicyType, ScalingPolicySelect } from "../../../generated/values/autoscaling.v2.ts";
import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { invalidField, requiredField, unsupportedField } from "../../../runtime/values/field-errors.ts";
import { validateNonNegativeQuantity } from "../../core/v1/validation/basics.ts";
import type { HorizontalPodAutoscalerSpec, HPAScalingPolicy, HPAScalingRules } from "./horizontal-pod-autoscaler.ts";
import { validateMetrics, validateReference } from "./metrics-validation.ts";

const MAX_PERIOD_SECONDS = 1800;
const MAX_WINDOW_SECONDS = 3600;
const SELECT_POLICIES = [...ScalingPolicySelect].sort();
const POLICY_TYPES = [...HPAScalingPolicyType].sort();

/** `lowest` is the minimum of `minReplicas`: 1, or 0 if scaling to zero is enabled. */
export function validateAutoscalerSpec(
  spec: HorizontalPodAutoscalerSpec,
  lowest: number,
  path: string,
  errors: FieldError[],
): void {
  const { minReplicas, maxReplicas = 0 } = spec;
  if (minReplicas !== undefined && minReplicas < lowest) {
    errors.push(invalidField(`${path}.minReplicas`, minReplicas, `must be greater than or equal to ${lowest}`));
  }
  if (maxReplicas < 1) errors.push(invalidField(`${path}.maxReplicas`, maxReplicas, "must be greater than 0"));
  if (minReplicas !== undefined && maxReplicas < minReplicas) {
    const detail = "must be greater than or equal to `minReplicas`";
    errors.push(invalidField(`${path}.maxReplicas`, maxReplicas, detail));
  }
  validateReference(spec.scaleTargetRef, `${path}.scaleTargetRef`, errors);
  validateMetrics(spec.metrics ?? [], minReplicas, `${path}.metrics`, errors);
  validateScalingRules(spec.behavior?.scaleUp, `${path}.behavior.scaleUp`, errors);
  validateScalingRules(spec.behavior?.scaleDown, `${path}.behavior.scaleDown`, errors);
}

function validateScalingRules(rules: HPAScalingRules | undefined, path: string, errors: FieldError[]): void {
  if (rules === undefined) return;
  const { stabilizationWindowSeconds: window = 0, selectPolicy, policies = [], tolerance } = rules;
  const windowField = `${path}.stabilizationWindowSeconds`;
  if (window < 0) errors.push(invalidField(windowField, window, "must be greater than or equal to zero"));
  if (window > MAX_WINDOW_SECONDS) {
    errors.push(invalidField(windowField, window, `must be less than or equal to ${MAX_WINDOW_SECONDS}`));
  }
  if (selectPolicy !== undefined && !SELECT_POLICIES.includes(selectPolicy)) {
    errors.push(unsupportedField(`${path}.selectPolicy`, selectPolicy, SELECT_POLICIES));
  }
  if (policies.length === 0) errors.push(requiredField(`${path}.policies`, "must specify at least one Policy"));
  for (const [index, policy] of policies.entries()) validateScalingPolicy(policy, `${path}.policies[${index}]`, errors);
  if (tolerance !== undefined) validateNonNegativeQuantity(tolerance, `${path}.tolerance`, errors);
}

function validateScalingPolicy(policy: HPAScalingPolicy, path: string, errors: FieldError[]): void {
  const { type = "", value = 0, periodSeconds = 0 } = policy;
  if (!POLICY_TYPES.includes(type)) errors.push(unsupportedField(`${path}.type`, type, POLICY_TYPES));
  if (value <= 0) errors.push(invalidField(`${path}.value`, value, "must be greater than zero"));
  if (periodSeconds <= 0)
    errors.push(invalidField(`${path}.periodSeconds`, periodSeconds, "must be greater than zero"));
  if (periodSeconds > MAX_PERIOD_SECONDS) {
    const detail = `must be less than or equal to ${MAX_PERIOD_SECONDS}`;
    errors.push(invalidField(`${path}.periodSeconds`, periodSeconds, detail));
  }
}
