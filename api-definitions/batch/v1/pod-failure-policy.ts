import type { ConditionStatus } from "../../core/v1/conditions.ts";
import type { PodConditionType } from "../../core/v1/pod-status.ts";
import type { Int32, ListAtomic, ListSet } from "../../vocabulary.ts";

export interface PodFailurePolicy {
  rules: ListAtomic<PodFailurePolicyRule>;
}

export interface PodFailurePolicyRule {
  action: PodFailurePolicyAction;
  onExitCodes?: PodFailurePolicyOnExitCodesRequirement;
  onPodConditions?: ListAtomic<PodFailurePolicyOnPodConditionsPattern>;
}

export type PodFailurePolicyAction = "FailJob" | "FailIndex" | "Ignore" | "Count";

export interface PodFailurePolicyOnExitCodesRequirement {
  containerName?: string;
  operator: PodFailurePolicyOnExitCodesOperator;
  values: ListSet<Int32>;
}

export type PodFailurePolicyOnExitCodesOperator = "In" | "NotIn";

export interface PodFailurePolicyOnPodConditionsPattern {
  type: PodConditionType;
  status: ConditionStatus;
}

export interface SuccessPolicy {
  rules: ListAtomic<SuccessPolicyRule>;
}

export interface SuccessPolicyRule {
  succeededIndexes?: string;
  succeededCount?: Int32;
}
