import type { ConditionStatus } from "../../core/v1/conditions.ts";
import type { PodConditionType } from "../../core/v1/pod-status.ts";
import type { Int32, ListAtomic, ListSet } from "../../vocabulary.ts";

/** What failures of pods mean. */
export interface PodFailurePolicy {
  /** Looked at in order; the first that matches counts. */
  rules: ListAtomic<PodFailurePolicyRule>;
}

/** What one sort of failure means. */
export interface PodFailurePolicyRule {
  /** What to do. */
  action: PodFailurePolicyAction;
  /** Failures by exit code. */
  onExitCodes?: PodFailurePolicyOnExitCodesRequirement;
  /** Failures by condition of the pod. */
  onPodConditions?: ListAtomic<PodFailurePolicyOnPodConditionsPattern>;
}

export type PodFailurePolicyAction = "FailJob" | "FailIndex" | "Ignore" | "Count";

/** Exit codes of containers. */
export interface PodFailurePolicyOnExitCodesRequirement {
  /** Which container; all of them unless said. */
  containerName?: string;
  /** Whether the code must be in the list or not. */
  operator: PodFailurePolicyOnExitCodesOperator;
  /** The codes. */
  values: ListSet<Int32>;
}

export type PodFailurePolicyOnExitCodesOperator = "In" | "NotIn";

/** A condition of the pod. */
export interface PodFailurePolicyOnPodConditionsPattern {
  /** Type of the condition. */
  type: PodConditionType;
  /** Its status. */
  status: ConditionStatus;
}

/** When a job counts as done early. */
export interface SuccessPolicy {
  /** Looked at in order; one that holds is enough. */
  rules: ListAtomic<SuccessPolicyRule>;
}

/** Pods that are enough; all that is said must hold. */
export interface SuccessPolicyRule {
  /** These indexes, such as `1,3-5`. */
  succeededIndexes?: string;
  /** So many of them. */
  succeededCount?: Int32;
}
