import type { ConditionStatus } from "../../core/v1/conditions.ts";
import type { PodConditionType } from "../../core/v1/pod-status.ts";
import type { Int32, ListAtomic, ListSet } from "../../vocabulary.ts";

/** Decides how failed pods of a Job are handled, by their exit codes or conditions. */
export interface PodFailurePolicy {
  /**
   * Rules in the order in which they are evaluated for a failed pod; the first that matches applies. A pod that matches
   * none counts towards `backoffLimit`. At most 20 rules.
   */
  rules: ListAtomic<PodFailurePolicyRule>;
}

/**
 * What to do with pods that failed in a certain way. Exactly one of `onExitCodes` and `onPodConditions` must be set.
 */
export interface PodFailurePolicyRule {
  /** What to do when the rule matches a failed pod. */
  action: PodFailurePolicyAction;
  /** Matches pods by the exit codes of their containers. Must not be set together with `onPodConditions`. */
  onExitCodes?: PodFailurePolicyOnExitCodesRequirement;
  /**
   * Matches pods that have at least one of these conditions, such as `DisruptionTarget` for pods that were evicted or
   * preempted. At most 20 entries. Must not be set together with `onExitCodes`.
   */
  onPodConditions?: ListAtomic<PodFailurePolicyOnPodConditionsPattern>;
}

export type PodFailurePolicyAction =
  /** Marks the Job as failed and terminates all of its pods. */
  | "FailJob"
  /** Marks the index of the pod as failed without further retries. Requires `backoffLimitPerIndex`. */
  | "FailIndex"
  /** Creates a replacement without counting the failure towards `backoffLimit`. */
  | "Ignore"
  /** Counts the failure towards `backoffLimit`, as without a rule. */
  | "Count";

/**
 * Matches a failed pod by the exit codes of its containers. Containers that have not terminated, or that exited with 0,
 * are ignored.
 */
export interface PodFailurePolicyOnExitCodesRequirement {
  /**
   * Name of the container or init container whose exit code is checked. It must exist in the pod template. If unset,
   * the exit codes of all of them are checked, and one that matches is enough.
   */
  containerName?: string;
  /** How the exit code is compared with `values`. */
  operator: PodFailurePolicyOnExitCodesOperator;
  /** Exit codes to compare with: 1 to 255 of them, in ascending order. 0 is not allowed with the operator `In`. */
  values: ListSet<Int32>;
}

export type PodFailurePolicyOnExitCodesOperator =
  /** Matches if the exit code is one of `values`. */
  | "In"
  /** Matches if the exit code is neither 0 nor one of `values`. */
  | "NotIn";

/** Matches a failed pod by type and status of one of its conditions. */
export interface PodFailurePolicyOnPodConditionsPattern {
  /** Type of the pod condition, such as `DisruptionTarget`. Must be a qualified name. */
  type: PodConditionType;
  /** Status that the pod condition must have: `True`, `False` or `Unknown`. Defaults to `True`. */
  status: ConditionStatus;
}

/** Decides when an `Indexed` Job succeeds before all of its indexes have. */
export interface SuccessPolicy {
  /**
   * Rules in the order in which they are evaluated when indexes have succeeded. The Job succeeds as soon as one rule is
   * met. 1 to 20 rules.
   */
  rules: ListAtomic<SuccessPolicyRule>;
}

/**
 * Indexes that are enough for a Job to succeed. At least one of `succeededIndexes` and `succeededCount` must be set.
 */
export interface SuccessPolicyRule {
  /**
   * Indexes of which all must succeed, or `succeededCount` of them if that is set, too: numbers and ranges in ascending
   * order, such as `1,3-5,7`. Each must be less than `completions`. At most 64 KiB long. If unset, all indexes of the
   * Job are meant.
   */
  succeededIndexes?: string;
  /**
   * Number of indexes that must succeed, among `succeededIndexes` if that is set. At least 0, and not more than
   * `completions` or the number of `succeededIndexes`.
   */
  succeededCount?: Int32;
}
