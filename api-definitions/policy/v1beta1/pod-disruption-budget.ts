import type { Condition } from "../../meta/v1/condition.ts";
import type { LabelSelector } from "../../meta/v1/label-selector.ts";
import type { Namespaced } from "../../meta/v1/type-meta.ts";
import {
  type Always,
  type Int32,
  type Int64,
  type IntOrString,
  kind,
  type ListMap,
  type OmitZero,
  type PatchMerge,
  type Since,
  type Time,
} from "../../vocabulary.ts";

/**
 * Limits how many of the selected pods may be unavailable at the same time because of voluntary disruptions, such as
 * draining a node. It applies to evictions through the API; deleting pods directly, rolling updates and crashes of
 * nodes are not prevented, but the pods they take down count. A pod should be selected by at most one budget, because
 * pods with several cannot be evicted.
 */
export interface PodDisruptionBudget extends Namespaced {
  /** Desired state of the PodDisruptionBudget. */
  spec?: PodDisruptionBudgetSpec & Always;
  /**
   * Observed state of the PodDisruptionBudget, set by the disruption controller and by evictions: how many pods are
   * healthy and how many may be evicted now.
   */
  status?: PodDisruptionBudgetStatus & Always;
}

/**
 * Which pods are protected from eviction, and how many of them must be available. Set either `minAvailable` or
 * `maxUnavailable`; a budget with neither allows no evictions.
 */
export interface PodDisruptionBudgetSpec {
  /**
   * Number of selected pods that must still be available after an eviction, as a number such as `3` or as a percentage
   * such as `50%`. Percentages are rounded up, must not exceed `100%`, and require that the pods have a controller with
   * a desired number of replicas. `100%` prevents all evictions. Must not be set together with `maxUnavailable`.
   */
  minAvailable?: IntOrString;
  /**
   * Label selector of the pods that the budget applies to. An empty selector selects no pods, unlike in policy/v1,
   * where it selects all pods of the namespace. If unset, none is selected either.
   */
  selector?: LabelSelector;
  /**
   * Number of selected pods that may be unavailable after an eviction, as a number such as `1` or as a percentage such
   * as `30%`. Percentages are rounded up and must not exceed `100%`. Requires that the pods have a controller with a
   * desired number of replicas. 0 prevents all evictions. Must not be set together with `minAvailable`.
   */
  maxUnavailable?: IntOrString;
  /** When pods may be evicted that run and are not ready. If unset, the server behaves as with `IfHealthyBudget`. */
  unhealthyPodEvictionPolicy?: UnhealthyPodEvictionPolicyType & Since<"1.26">;
}

export type UnhealthyPodEvictionPolicyType =
  /**
   * Pods that are not ready may be evicted only if the budget requires healthy pods and has enough of them
   * (`status.currentHealthy` is at least `status.desiredHealthy`). Protects applications that are already disrupted,
   * but can block the draining of a node.
   */
  | "IfHealthyBudget"
  /**
   * Pods that are not ready may always be evicted, and are not counted. Recommended, so that broken applications do not
   * block the draining of a node.
   */
  | "AlwaysAllow";

/** Observed state of a PodDisruptionBudget: how many pods are healthy and how many may be evicted now. */
export interface PodDisruptionBudgetStatus {
  /**
   * Value of `metadata.generation` that the disruption controller last processed. While it is lower than
   * `metadata.generation`, evictions are refused with status 429.
   */
  observedGeneration?: Int64 & OmitZero;
  /**
   * Names of pods whose eviction has been granted and that are not yet seen to be deleted, with the time of the
   * eviction. Set by the server on eviction and cleared by the disruption controller, after 2 minutes at the latest.
   * With more than 2000 entries no more evictions are granted.
   */
  disruptedPods?: Record<string, Time>;
  /**
   * Number of pods that may be evicted now. Each eviction reduces it by one, until the disruption controller computes
   * it again.
   */
  disruptionsAllowed: Int32;
  /**
   * Observed number of selected pods that are healthy: the condition `Ready` is `True` and they are not being deleted.
   */
  currentHealthy: Int32;
  /** Number of selected pods that must be healthy, computed from `minAvailable` or `maxUnavailable`. */
  desiredHealthy: Int32;
  /**
   * Number of pods that the budget is computed from: the desired replicas of their controllers, or the selected pods if
   * `minAvailable` is a number.
   */
  expectedPods: Int32;
  /**
   * Observed conditions of the budget. `DisruptionAllowed` is `True` if at least one pod may be evicted now; its reason
   * is `SufficientPods`, `InsufficientPods` or `SyncFailed`.
   */
  conditions?: ListMap<Condition, "type"> & PatchMerge<"type"> & Since<"1.21">;
}

export const podDisruptionBudget = kind<PodDisruptionBudget>({
  plural: "poddisruptionbudgets",
  conditionalUpdate: true,
  shortNames: ["pdb"],
  introduced: "1.5",
  deprecated: "1.21",
  removed: "1.25",
  replacement: "policy/v1 PodDisruptionBudget",
  subresources: { status: true },
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "Min Available", type: "string", description: "Number or percentage of pods that must be available." },
    { name: "Max Unavailable", type: "string", description: "Number or percentage of pods that may be unavailable." },
    {
      name: "Allowed Disruptions",
      type: "integer",
      path: ".status.disruptionsAllowed",
      description: "Number of pods that may be evicted now.",
    },
    {
      name: "Age",
      type: "string",
      path: ".metadata.creationTimestamp",
      description: "Time since the object was created.",
    },
  ],
});
