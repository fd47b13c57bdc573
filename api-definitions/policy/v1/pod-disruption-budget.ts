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
  type PatchReplace,
  type Time,
} from "../../vocabulary.ts";

export interface PodDisruptionBudget extends Namespaced {
  spec?: PodDisruptionBudgetSpec & Always;
  status?: PodDisruptionBudgetStatus & Always;
}

export interface PodDisruptionBudgetSpec {
  minAvailable?: IntOrString;
  selector?: LabelSelector & PatchReplace;
  maxUnavailable?: IntOrString;
  unhealthyPodEvictionPolicy?: UnhealthyPodEvictionPolicyType;
}

export type UnhealthyPodEvictionPolicyType = "IfHealthyBudget" | "AlwaysAllow";

export interface PodDisruptionBudgetStatus {
  observedGeneration?: Int64 & OmitZero;
  disruptedPods?: Record<string, Time>;
  disruptionsAllowed: Int32;
  currentHealthy: Int32;
  desiredHealthy: Int32;
  expectedPods: Int32;
  conditions?: ListMap<Condition, "type"> & PatchMerge<"type">;
}

export const podDisruptionBudget = kind<PodDisruptionBudget>({
  plural: "poddisruptionbudgets",
  shortNames: ["pdb"],
  introduced: "1.21",
  subresources: { status: true },
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name" },
    { name: "Min Available", type: "string" },
    { name: "Max Unavailable", type: "string" },
    { name: "Allowed Disruptions", type: "integer", path: ".status.disruptionsAllowed" },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp" },
  ],
});
