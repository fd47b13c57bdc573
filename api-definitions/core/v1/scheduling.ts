import type { LabelSelector } from "../../meta/v1/label-selector.ts";
import type { AtomicStruct, Int32, Int64, ListAtomic, OmitZero, Time } from "../../vocabulary.ts";

export interface Affinity {
  nodeAffinity?: NodeAffinity;
  podAffinity?: PodAffinity;
  podAntiAffinity?: PodAntiAffinity;
}

export interface NodeAffinity {
  requiredDuringSchedulingIgnoredDuringExecution?: NodeSelector;
  preferredDuringSchedulingIgnoredDuringExecution?: ListAtomic<PreferredSchedulingTerm>;
}

export interface NodeSelector extends AtomicStruct {
  nodeSelectorTerms: ListAtomic<NodeSelectorTerm>;
}

export interface NodeSelectorTerm extends AtomicStruct {
  matchExpressions?: ListAtomic<NodeSelectorRequirement>;
  matchFields?: ListAtomic<NodeSelectorRequirement>;
}

export interface NodeSelectorRequirement {
  key: string;
  operator: NodeSelectorOperator;
  values?: ListAtomic<string>;
}

export type NodeSelectorOperator = "In" | "NotIn" | "Exists" | "DoesNotExist" | "Gt" | "Lt";

export interface PreferredSchedulingTerm {
  weight: Int32;
  preference: NodeSelectorTerm;
}

export interface PodAffinity {
  requiredDuringSchedulingIgnoredDuringExecution?: ListAtomic<PodAffinityTerm>;
  preferredDuringSchedulingIgnoredDuringExecution?: ListAtomic<WeightedPodAffinityTerm>;
}

export interface PodAffinityTerm {
  labelSelector?: LabelSelector;
  namespaces?: ListAtomic<string>;
  topologyKey: string;
  namespaceSelector?: LabelSelector;
  matchLabelKeys?: ListAtomic<string>;
  mismatchLabelKeys?: ListAtomic<string>;
}

export interface WeightedPodAffinityTerm {
  weight: Int32;
  podAffinityTerm: PodAffinityTerm;
}

export interface PodAntiAffinity {
  requiredDuringSchedulingIgnoredDuringExecution?: ListAtomic<PodAffinityTerm>;
  preferredDuringSchedulingIgnoredDuringExecution?: ListAtomic<WeightedPodAffinityTerm>;
}

export interface Taint {
  key: string;
  value?: string & OmitZero;
  effect: TaintEffect;
  timeAdded?: Time;
}

export type TaintEffect = "NoSchedule" | "PreferNoSchedule" | "NoExecute";

export interface Toleration {
  key?: string & OmitZero;
  operator?: TolerationOperator & OmitZero;
  value?: string & OmitZero;
  effect?: TaintEffect & OmitZero;
  tolerationSeconds?: Int64;
}

export type TolerationOperator = "Exists" | "Equal";

export interface TopologySelectorTerm extends AtomicStruct {
  matchLabelExpressions?: ListAtomic<TopologySelectorLabelRequirement>;
}

export interface TopologySelectorLabelRequirement {
  key: string;
  values: ListAtomic<string>;
}

export interface TopologySpreadConstraint {
  maxSkew: Int32;
  topologyKey: string;
  whenUnsatisfiable: UnsatisfiableConstraintAction;
  labelSelector?: LabelSelector;
  minDomains?: Int32;
  nodeAffinityPolicy?: NodeInclusionPolicy;
  nodeTaintsPolicy?: NodeInclusionPolicy;
  matchLabelKeys?: ListAtomic<string>;
}

export type UnsatisfiableConstraintAction = "DoNotSchedule" | "ScheduleAnyway";

export type NodeInclusionPolicy = "Ignore" | "Honor";
