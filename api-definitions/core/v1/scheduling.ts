import type { LabelSelector } from "../../meta/v1/label-selector.ts";
import type { AtomicStruct, Int32, Int64, ListAtomic, OmitZero, Time } from "../../vocabulary.ts";

/** Rules that draw pods towards nodes and other pods, or keep them apart. */
export interface Affinity {
  /** Which nodes the pod prefers or insists on. */
  nodeAffinity?: NodeAffinity;
  /** Which pods this one wants to be near. */
  podAffinity?: PodAffinity;
  /** Which pods this one wants to stay away from. */
  podAntiAffinity?: PodAntiAffinity;
}

/** Which nodes a pod prefers or insists on. */
export interface NodeAffinity {
  /** The node must match; not looked at again once the pod runs. */
  requiredDuringSchedulingIgnoredDuringExecution?: NodeSelector;
  /** Nodes that match are better; the weights of matches add up. */
  preferredDuringSchedulingIgnoredDuringExecution?: ListAtomic<PreferredSchedulingTerm>;
}

/** Terms of which a node must meet at least one. */
export interface NodeSelector extends AtomicStruct {
  /** The terms. */
  nodeSelectorTerms: ListAtomic<NodeSelectorTerm>;
}

/** Demands that a node must all meet. */
export interface NodeSelectorTerm extends AtomicStruct {
  /** Demands on labels. */
  matchExpressions?: ListAtomic<NodeSelectorRequirement>;
  /** Demands on fields. */
  matchFields?: ListAtomic<NodeSelectorRequirement>;
}

/** A demand on a label or field of a node. */
export interface NodeSelectorRequirement {
  /** The label or field. */
  key: string;
  /** How it relates to the values. */
  operator: NodeSelectorOperator;
  /** What it is compared with. */
  values?: ListAtomic<string>;
}

export type NodeSelectorOperator = "In" | "NotIn" | "Exists" | "DoesNotExist" | "Gt" | "Lt";

/** Nodes that are better than others. */
export interface PreferredSchedulingTerm {
  /** How much better, from 1 to 100. */
  weight: Int32;
  /** Which nodes. */
  preference: NodeSelectorTerm;
}

/** Which pods this one wants to be near. */
export interface PodAffinity {
  /** Must be met; not looked at again once the pod runs. */
  requiredDuringSchedulingIgnoredDuringExecution?: ListAtomic<PodAffinityTerm>;
  /** Better if met; the weights add up. */
  preferredDuringSchedulingIgnoredDuringExecution?: ListAtomic<WeightedPodAffinityTerm>;
}

/** Pods, and how near they are meant. */
export interface PodAffinityTerm {
  /** Which pods. */
  labelSelector?: LabelSelector;
  /** Their namespaces by name; the pod's own when nothing says otherwise. */
  namespaces?: ListAtomic<string>;
  /** Node label that draws the line: nodes that agree on it count as one place. */
  topologyKey: string;
  /** Their namespaces by label. */
  namespaceSelector?: LabelSelector;
  /** Labels of this pod that the others must share. */
  matchLabelKeys?: ListAtomic<string>;
  /** Labels in which the others must differ from this pod. */
  mismatchLabelKeys?: ListAtomic<string>;
}

/** Pods it is better to be near, or away from. */
export interface WeightedPodAffinityTerm {
  /** How much better, from 1 to 100. */
  weight: Int32;
  /** Which pods, and how near. */
  podAffinityTerm: PodAffinityTerm;
}

/** Which pods this one wants to stay away from. */
export interface PodAntiAffinity {
  /** Must be met; not looked at again once the pod runs. */
  requiredDuringSchedulingIgnoredDuringExecution?: ListAtomic<PodAffinityTerm>;
  /** Better if met; the weights add up. */
  preferredDuringSchedulingIgnoredDuringExecution?: ListAtomic<WeightedPodAffinityTerm>;
}

/** A mark on a node that keeps pods away unless they tolerate it. */
export interface Taint {
  /** Key of the mark. */
  key: string;
  /** Its value. */
  value?: string & OmitZero;
  /** What it does to pods that do not tolerate it. */
  effect: TaintEffect;
  /** When it was put on. */
  timeAdded?: Time;
}

export type TaintEffect = "NoSchedule" | "PreferNoSchedule" | "NoExecute";

/** Taints a pod puts up with. */
export interface Toleration {
  /** Key of the taint; every key when empty. */
  key?: string & OmitZero;
  /** `Equal` compares the value, `Exists` does not. */
  operator?: TolerationOperator & OmitZero;
  /** Value of the taint. */
  value?: string & OmitZero;
  /** Effect of the taint; every effect when empty. */
  effect?: TaintEffect & OmitZero;
  /** Seconds it stays on a node with a `NoExecute` taint. */
  tolerationSeconds?: Int64;
}

export type TolerationOperator = "Exists" | "Equal";

/** Places that are allowed. */
export interface TopologySelectorTerm extends AtomicStruct {
  /** Demands that must all hold. */
  matchLabelExpressions?: ListAtomic<TopologySelectorLabelRequirement>;
}

/** A demand on a label of the place. */
export interface TopologySelectorLabelRequirement {
  /** The label. */
  key: string;
  /** Values that are allowed. */
  values: ListAtomic<string>;
}

/** How evenly pods spread over places. */
export interface TopologySpreadConstraint {
  /** How far the fullest place may be ahead of the emptiest. */
  maxSkew: Int32;
  /** Node label that draws the line: nodes that agree on it count as one place. */
  topologyKey: string;
  /** Whether to wait, or to run anyway, where it cannot be met. */
  whenUnsatisfiable: UnsatisfiableConstraintAction;
  /** Which pods count. */
  labelSelector?: LabelSelector;
  /** How many places there must be. */
  minDomains?: Int32;
  /** Whether nodes the pod may not run on count. */
  nodeAffinityPolicy?: NodeInclusionPolicy;
  /** Whether nodes with taints the pod does not tolerate count. */
  nodeTaintsPolicy?: NodeInclusionPolicy;
  /** Labels of this pod that others must share to count. */
  matchLabelKeys?: ListAtomic<string>;
}

export type UnsatisfiableConstraintAction = "DoNotSchedule" | "ScheduleAnyway";

export type NodeInclusionPolicy = "Ignore" | "Honor";
