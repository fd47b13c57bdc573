import type { ConditionStatus } from "../../core/v1/conditions.ts";
import type { PersistentVolumeClaim } from "../../core/v1/persistent-volume-claim.ts";
import type { PodTemplateSpec } from "../../core/v1/pod-spec.ts";
import type { LabelSelector } from "../../meta/v1/label-selector.ts";
import type { Namespaced } from "../../meta/v1/type-meta.ts";
import {
  type Always,
  type Default,
  type Gated,
  type Int32,
  type Int64,
  type IntOrString,
  kind,
  type ListAtomic,
  type ListMap,
  type Minimum,
  type Nullable,
  type OmitZero,
  type Open,
  type PatchMerge,
  type Time,
} from "../../vocabulary.ts";

/** Runs pods that each keep a name and storage of their own. */
export interface StatefulSet extends Namespaced {
  /** What is asked for. */
  spec?: StatefulSetSpec & Always;
  /** What is the case, as last seen. */
  status?: StatefulSetStatus & Always;
}

/** How many pods, which, and what each of them keeps. */
export interface StatefulSetSpec {
  /** How many pods should run. */
  replicas?: Int32 & Default<1> & Minimum<0>;
  /** Which pods belong to it; fixed for good. */
  selector: LabelSelector & Nullable;
  /** The pod to copy. */
  template: PodTemplateSpec;
  /** Claims made for every pod, which outlive it. */
  volumeClaimTemplates?: ListAtomic<PersistentVolumeClaim>;
  /** Service that gives the pods their host names. */
  serviceName?: string & Always;
  /** One after the other, or all at once. */
  podManagementPolicy?: PodManagementPolicyType & OmitZero & Default<"OrderedReady">;
  /** How pods are replaced when the template changes. */
  updateStrategy?: StatefulSetUpdateStrategy & Always;
  /** How many past states are kept. */
  revisionHistoryLimit?: Int32 & Default<10>;
  /** Seconds a new pod must be ready to count as available. */
  minReadySeconds?: Int32 & OmitZero & Minimum<0>;
  /** What becomes of the claims. */
  persistentVolumeClaimRetentionPolicy?: StatefulSetPersistentVolumeClaimRetentionPolicy &
    Default<{ whenDeleted: "Retain"; whenScaled: "Retain" }>;
  /** How pods are numbered. */
  ordinals?: StatefulSetOrdinals;
}

export type PodManagementPolicyType = "OrderedReady" | "Parallel";

/** How pods are replaced when the template changes. */
export interface StatefulSetUpdateStrategy {
  /** From the last pod to the first, or only as pods are deleted. */
  type?: StatefulSetUpdateStrategyType & OmitZero;
  /** Which pods, and how many at a time. */
  rollingUpdate?: RollingUpdateStatefulSetStrategy;
}

export type StatefulSetUpdateStrategyType = "RollingUpdate" | "OnDelete";

/** Which pods are replaced, and how many at a time. */
export interface RollingUpdateStatefulSetStrategy {
  /** Only pods with this number or a higher one. */
  partition?: Int32;
  /** How many pods, or what share, may be missing. */
  maxUnavailable?: IntOrString & Gated<"MaxUnavailableStatefulSet">;
}

/** What becomes of claims that are not needed any more. */
export interface StatefulSetPersistentVolumeClaimRetentionPolicy {
  /** When the set is deleted. */
  whenDeleted?: PersistentVolumeClaimRetentionPolicyType & OmitZero & Default<"Retain">;
  /** When the set is made smaller. */
  whenScaled?: PersistentVolumeClaimRetentionPolicyType & OmitZero & Default<"Retain">;
}

export type PersistentVolumeClaimRetentionPolicyType = Open<"Retain" | "Delete">;

/** How pods are numbered. */
export interface StatefulSetOrdinals {
  /** The first number. */
  start?: Int32 & Always;
}

/** How far a set is. */
export interface StatefulSetStatus {
  /** Generation the controller last acted on. */
  observedGeneration?: Int64 & OmitZero;
  /** Pods that exist. */
  replicas: Int32;
  /** Pods that are ready. */
  readyReplicas?: Int32 & OmitZero;
  /** Pods of the state being replaced. */
  currentReplicas?: Int32 & OmitZero;
  /** Pods of the state being rolled out. */
  updatedReplicas?: Int32 & OmitZero;
  /** The state being replaced. */
  currentRevision?: string & OmitZero;
  /** The state being rolled out. */
  updateRevision?: string & OmitZero;
  /** Keeps names of past states apart. */
  collisionCount?: Int32;
  /** Findings about the set. */
  conditions?: ListMap<StatefulSetCondition, "type"> & PatchMerge<"type">;
  /** Pods that have been ready long enough. */
  availableReplicas?: Int32 & Always;
}

/** One finding about a stateful set. */
export interface StatefulSetCondition {
  /** What the finding is about. */
  type: string;
  /** Whether it holds: `True`, `False` or `Unknown`. */
  status: ConditionStatus;
  /** When the status last changed. */
  lastTransitionTime?: Time & Always;
  /** A word for the cause. */
  reason?: string & OmitZero;
  /** The cause, for people. */
  message?: string & OmitZero;
}

export const statefulSet = kind<StatefulSet>({
  plural: "statefulsets",
  shortNames: ["sts"],
  categories: ["all"],
  introduced: "1.9",
  subresources: {
    scale: {
      specReplicasPath: ".spec.replicas",
      statusReplicasPath: ".status.replicas",
      labelSelectorPath: ".spec.selector",
    },
    status: true,
  },
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "Ready", type: "string", description: "How many are ready, of how many." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
    { name: "Containers", type: "string", priority: 1, description: "Names of the containers." },
    { name: "Images", type: "string", priority: 1, description: "Images of the containers." },
  ],
});
