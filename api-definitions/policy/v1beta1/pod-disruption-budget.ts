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
  type Time,
} from "../../vocabulary.ts";

/** How many pods may be taken down on purpose at the same time. */
export interface PodDisruptionBudget extends Namespaced {
  /** What is asked for. */
  spec?: PodDisruptionBudgetSpec & Always;
  /** What is the case, as last seen. */
  status?: PodDisruptionBudgetStatus & Always;
}

/** How many of which pods. */
export interface PodDisruptionBudgetSpec {
  /** How many pods, or what share, must stay. */
  minAvailable?: IntOrString;
  /** Which pods. */
  selector?: LabelSelector;
  /** How many pods, or what share, may be gone. */
  maxUnavailable?: IntOrString;
  /** Whether pods that are not ready may leave regardless. */
  unhealthyPodEvictionPolicy?: UnhealthyPodEvictionPolicyType;
}

export type UnhealthyPodEvictionPolicyType = "IfHealthyBudget" | "AlwaysAllow";

/** How much of the budget is left. */
export interface PodDisruptionBudgetStatus {
  /** Generation the controller last acted on. */
  observedGeneration?: Int64 & OmitZero;
  /** Pods that are leaving, and since when. */
  disruptedPods?: Record<string, Time>;
  /** How many pods may be taken down now. */
  disruptionsAllowed: Int32;
  /** Pods that are healthy. */
  currentHealthy: Int32;
  /** Pods that must be healthy. */
  desiredHealthy: Int32;
  /** Pods that count. */
  expectedPods: Int32;
  /** Whether anything may be taken down. */
  conditions?: ListMap<Condition, "type"> & PatchMerge<"type">;
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
    { name: "Min Available", type: "string", description: "How many pods must stay." },
    { name: "Max Unavailable", type: "string", description: "How many pods may be gone." },
    {
      name: "Allowed Disruptions",
      type: "integer",
      path: ".status.disruptionsAllowed",
      description: "How many pods may be taken down now.",
    },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
  ],
});
