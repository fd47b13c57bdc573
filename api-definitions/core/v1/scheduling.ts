import type { LabelSelector } from "../../meta/v1/label-selector.ts";
import type { AtomicStruct, Gated, Int32, Int64, ListAtomic, OmitZero, Since, Time } from "../../vocabulary.ts";

/**
 * Rules that attract a pod to nodes or repel it from them, by labels of the nodes or by the pods that run there.
 * Evaluated by the scheduler only: a pod that runs is not moved when labels change.
 */
export interface Affinity {
  /** Nodes that the pod requires or prefers. */
  nodeAffinity?: NodeAffinity;
  /** Pods near which this pod must or should run, such as in the same zone. */
  podAffinity?: PodAffinity;
  /** Pods near which this pod must not or should not run, such as other replicas on the same node. */
  podAntiAffinity?: PodAntiAffinity;
}

/** Nodes that a pod requires or prefers. */
export interface NodeAffinity {
  /**
   * Nodes on which the pod can be scheduled. Without a matching node it stays `Pending`. A later change of a node's
   * labels does not affect a running pod. While a pod has `schedulingGates`, requirements can be added to existing
   * terms.
   */
  requiredDuringSchedulingIgnoredDuringExecution?: NodeSelector;
  /**
   * Nodes that the scheduler prefers. For each node the weights of the matching terms are added up and count towards
   * its score; nodes that match none are still possible.
   */
  preferredDuringSchedulingIgnoredDuringExecution?: ListAtomic<PreferredSchedulingTerm>;
}

/** Selects nodes. A node matches if it matches at least one of the terms. */
export interface NodeSelector extends AtomicStruct {
  /** Terms of which a node must match at least one. At least one term is required. */
  nodeSelectorTerms: ListAtomic<NodeSelectorTerm>;
}

/** Requirements that a node must meet, all of them. A term without requirements matches no node. */
export interface NodeSelectorTerm extends AtomicStruct {
  /** Requirements for labels of the node. */
  matchExpressions?: ListAtomic<NodeSelectorRequirement>;
  /**
   * Requirements for fields of the node. Only `metadata.name` is supported, with the operators `In` and `NotIn` and
   * exactly one value.
   */
  matchFields?: ListAtomic<NodeSelectorRequirement> & Since<"1.11">;
}

/** A requirement for a label or field of a node. */
export interface NodeSelectorRequirement {
  /** Key of the label, or `metadata.name` in `matchFields`. */
  key: string;
  /** How the label relates to `values`. */
  operator: NodeSelectorOperator;
  /**
   * Values to compare with. At least one for `In` and `NotIn`, none for `Exists` and `DoesNotExist`, exactly one
   * integer for `Gt` and `Lt`.
   */
  values?: ListAtomic<string>;
}

export type NodeSelectorOperator =
  /** The label has one of the values. */
  | "In"
  /** The label has none of the values, or does not exist. */
  | "NotIn"
  /** The label exists, with any value. */
  | "Exists"
  /** The label does not exist. */
  | "DoesNotExist"
  /** The label is an integer greater than the value. */
  | "Gt"
  /** The label is an integer less than the value. */
  | "Lt";

/** Nodes that the scheduler prefers, with a weight. */
export interface PreferredSchedulingTerm {
  /** Weight of the preference, from 1 to 100. */
  weight: Int32;
  /** Requirements that preferred nodes meet. */
  preference: NodeSelectorTerm;
}

/** Pods near which a pod must or should run. */
export interface PodAffinity {
  /**
   * Terms that must all be met to schedule the pod: each requires that a matching pod already runs in the same topology
   * domain. Changes after scheduling do not affect a running pod.
   */
  requiredDuringSchedulingIgnoredDuringExecution?: ListAtomic<PodAffinityTerm>;
  /**
   * Terms that the scheduler prefers to be met. For each node the weights of the terms that it meets are added up and
   * count towards its score.
   */
  preferredDuringSchedulingIgnoredDuringExecution?: ListAtomic<WeightedPodAffinityTerm>;
}

/**
 * A set of pods and the topology domain in which they are near. Selects pods that match `labelSelector` in the
 * namespaces of `namespaces` and `namespaceSelector`, or in the namespace of the pod itself if both are unset.
 */
export interface PodAffinityTerm {
  /** Selects the pods by their labels. Matches no pods if unset, all pods if empty (`{}`). */
  labelSelector?: LabelSelector;
  /** Names of namespaces of the pods, in addition to those of `namespaceSelector`. */
  namespaces?: ListAtomic<string>;
  /**
   * Label of nodes that defines the topology domains, such as `kubernetes.io/hostname` or
   * `topology.kubernetes.io/zone`: pods are near if their nodes have the same value. Required.
   */
  topologyKey: string;
  /** Selects namespaces of the pods by labels, in addition to `namespaces`. `{}` selects all namespaces. */
  namespaceSelector?: LabelSelector & Since<"1.21">;
  /**
   * Keys of labels of which the selected pods must have the same values as this pod, such as `pod-template-hash`. When
   * the pod is created, they are merged into `labelSelector` as `key in (value)`; keys that the pod does not have are
   * ignored. Requires `labelSelector`; keys must not be in `mismatchLabelKeys` as well.
   */
  matchLabelKeys?: ListAtomic<string> & Since<"1.29">;
  /**
   * Keys of labels of which the selected pods must have other values than this pod. When the pod is created, they are
   * merged into `labelSelector` as `key notin (value)`; keys that the pod does not have are ignored. Requires
   * `labelSelector`; keys must not be in `matchLabelKeys` as well.
   */
  mismatchLabelKeys?: ListAtomic<string> & Since<"1.29">;
}

/** Pods near which a pod should run, or should not, with a weight. */
export interface WeightedPodAffinityTerm {
  /** Weight of the term, from 1 to 100. */
  weight: Int32;
  /** Pods and the topology domain that the preference is about. */
  podAffinityTerm: PodAffinityTerm;
}

/** Pods near which a pod must not or should not run. */
export interface PodAntiAffinity {
  /**
   * Terms that must all be met to schedule the pod: each requires that no matching pod runs in the same topology
   * domain. Terms of running pods that exclude this pod are respected, too. Changes after scheduling do not affect a running
   * pod.
   */
  requiredDuringSchedulingIgnoredDuringExecution?: ListAtomic<PodAffinityTerm>;
  /**
   * Terms that the scheduler prefers to be met. For each node the weights of the terms that it violates are added up
   * and lower its score.
   */
  preferredDuringSchedulingIgnoredDuringExecution?: ListAtomic<WeightedPodAffinityTerm>;
}

/** Repels pods from a node, unless they have a matching toleration. */
export interface Taint {
  /** Key of the taint, in the form of a label key. */
  key: string;
  /** Value of the taint, in the form of a label value. */
  value?: string & OmitZero;
  /** What happens to pods that do not tolerate the taint. */
  effect: TaintEffect;
  /**
   * Time at which the taint was added, set by the controller that adds it. Tolerations with `tolerationSeconds` count
   * from here.
   */
  timeAdded?: Time;
}

export type TaintEffect =
  /** Pods are not scheduled to the node. Those that already run there stay. */
  | "NoSchedule"
  /** The scheduler avoids the node if it can. */
  | "PreferNoSchedule"
  /** Pods are not scheduled to the node, and those that run there are evicted. */
  | "NoExecute";

/**
 * Allows a pod to run on nodes with matching taints. A taint matches if `key`, `value` (by `operator`) and `effect`
 * match.
 */
export interface Toleration {
  /** Key of the tolerated taint. If empty, all keys are tolerated, and `operator` must be `Exists`. */
  key?: string & OmitZero;
  /** How `value` relates to the value of the taint. Unset means `Equal`. */
  operator?: TolerationOperator & OmitZero;
  /** Value of the tolerated taint. Must be empty if `operator` is `Exists`. */
  value?: string & OmitZero;
  /** Effect of the tolerated taint. All effects if empty. */
  effect?: TaintEffect & OmitZero;
  /**
   * Seconds that a running pod stays on the node after a `NoExecute` taint was added, before it is evicted. Requires
   * the effect `NoExecute`. Unset means that the pod stays; `0` and negative values evict it at once.
   */
  tolerationSeconds?: Int64;
}

export type TolerationOperator =
  /** Any value of the taint is tolerated. */
  | "Exists"
  /** The values must be equal. */
  | "Equal";

/** Requirements for labels of a topology domain, such as a zone. All of them must be met. */
export interface TopologySelectorTerm extends AtomicStruct {
  /** Requirements for labels of the topology domain, all of which must be met. */
  matchLabelExpressions?: ListAtomic<TopologySelectorLabelRequirement>;
}

/** A requirement for one label of a topology domain. */
export interface TopologySelectorLabelRequirement {
  /** Key of the label, such as `topology.kubernetes.io/zone`. */
  key: string;
  /** Allowed values of the label, at least one. */
  values: ListAtomic<string>;
}

/** How evenly pods are distributed over topology domains, such as zones or nodes. */
export interface TopologySpreadConstraint {
  /**
   * Greatest allowed difference between the number of matching pods in a domain and the lowest number in any eligible
   * domain, at least 1. With `whenUnsatisfiable: ScheduleAnyway` domains that reduce the difference are preferred.
   * Example: with `1` and three zones that have 2, 2 and 1 matching pods, a new pod can only go to the third zone.
   */
  maxSkew: Int32;
  /**
   * Label of nodes that defines the topology domains, such as `topology.kubernetes.io/zone`: nodes with the same value
   * are one domain. Nodes without the label are not considered. Required; together with `whenUnsatisfiable` it must be
   * unique in the pod.
   */
  topologyKey: string;
  /** What the scheduler does with a pod for which the constraint cannot be met. */
  whenUnsatisfiable: UnsatisfiableConstraintAction;
  /** Selects the pods that are counted, in the namespace of the pod. Matches no pods if unset. */
  labelSelector?: LabelSelector;
  /**
   * Minimum number of eligible domains, at least 1. If there are fewer, the lowest number of matching pods counts as 0,
   * so that no domain gets more than `maxSkew` pods. Allowed only with `whenUnsatisfiable: DoNotSchedule`. Unset means
   * 1.
   */
  minDomains?: Int32 & Since<"1.24">;
  /**
   * Whether nodes that do not match `nodeSelector` and `affinity.nodeAffinity` of the pod count when the skew is
   * calculated. Unset means `Honor`.
   */
  nodeAffinityPolicy?: NodeInclusionPolicy & Since<"1.25">;
  /**
   * Whether nodes with taints that the pod does not tolerate count when the skew is calculated. Unset means `Ignore`.
   */
  nodeTaintsPolicy?: NodeInclusionPolicy & Since<"1.25">;
  /**
   * Keys of labels of which counted pods must have the same values as this pod, in addition to `labelSelector`. With
   * `pod-template-hash` each revision of a Deployment is spread on its own. Keys that the pod does not have are
   * ignored. Requires `labelSelector`; keys must not occur in it.
   */
  matchLabelKeys?: ListAtomic<string> & Since<"1.25"> & Gated<"MatchLabelKeysInPodTopologySpread">;
}

export type UnsatisfiableConstraintAction =
  /** The pod stays `Pending`. */
  | "DoNotSchedule"
  /** The pod is scheduled, with preference for nodes that reduce the skew. */
  | "ScheduleAnyway";

export type NodeInclusionPolicy =
  /** Such nodes count. */
  | "Ignore"
  /** Such nodes do not count. */
  | "Honor";
