import type { ConditionStatus } from "../../core/v1/conditions.ts";
import type { PodTemplateSpec } from "../../core/v1/pod-spec.ts";
import type { LabelSelector } from "../../meta/v1/label-selector.ts";
import type { Namespaced } from "../../meta/v1/type-meta.ts";
import {
  type Always,
  type Default,
  type Int32,
  type Int64,
  kind,
  type ListMap,
  type Minimum,
  type Nullable,
  type OmitZero,
  type Open,
  type PatchMerge,
  type Since,
  type Time,
} from "../../vocabulary.ts";

/**
 * Runs a number of identical pods. Usually created by a Deployment, which replaces one ReplicaSet by another to roll
 * out changes; create a Deployment rather than a ReplicaSet unless you orchestrate updates yourself.
 */
export interface ReplicaSet extends Namespaced {
  /** Desired state of the ReplicaSet. */
  spec?: ReplicaSetSpec & Always;
  /** Observed state of the ReplicaSet, set by the ReplicaSet controller: pod counts and conditions. */
  status?: ReplicaSetStatus & Always;
}

/** Which pods a ReplicaSet runs, and how many. */
export interface ReplicaSetSpec {
  /** Desired number of pods. 0 stops all pods. A Deployment that owns the ReplicaSet sets it. */
  replicas?: Int32 & Default<1> & Minimum<0>;
  /**
   * Seconds for which a new pod must be ready, without any of its containers crashing, before it counts as available.
   * If unset or 0, a pod is available as soon as it is ready.
   */
  minReadySeconds?: Int32 & OmitZero & Minimum<0>;
  /**
   * Label selector of the pods that belong to this ReplicaSet. Required, must not be empty, must match the labels of
   * `template`, and cannot be changed after creation. Matching pods without a controller are adopted.
   */
  selector: LabelSelector & Nullable;
  /**
   * Template of the pods. Its labels must match `selector`, and `spec.restartPolicy` must be `Always`, which is its
   * default; `spec.activeDeadlineSeconds` is not allowed. Changes affect only pods that are created later; existing
   * pods are not replaced.
   */
  template?: PodTemplateSpec & Always;
}

/** Observed state of a ReplicaSet: pod counts and conditions. */
export interface ReplicaSetStatus {
  /** Observed number of pods, not counting those that are terminating. */
  replicas: Int32;
  /**
   * Observed number of pods that have all labels of `template`, not only those that `selector` requires. Pods that are
   * terminating do not count.
   */
  fullyLabeledReplicas?: Int32 & OmitZero;
  /** Observed number of pods whose condition `Ready` is `True`, not counting those that are terminating. */
  readyReplicas?: Int32 & OmitZero;
  /**
   * Observed number of pods that have been ready for at least `minReadySeconds`, not counting those that are
   * terminating.
   */
  availableReplicas?: Int32 & OmitZero;
  /** Observed number of pods that are being deleted and have not stopped yet. They are not part of the other counts. */
  terminatingReplicas?: Int32 & Since<"1.33">;
  /**
   * Value of `metadata.generation` that the controller last processed. While it is lower than `metadata.generation`,
   * the rest of the status describes an earlier spec.
   */
  observedGeneration?: Int64 & OmitZero;
  /** Observed conditions of the ReplicaSet, set by the ReplicaSet controller. */
  conditions?: ListMap<ReplicaSetCondition, "type"> & PatchMerge<"type">;
}

/** One aspect of the observed state of a ReplicaSet, such as that pods could not be created. */
export interface ReplicaSetCondition {
  /** Type of the condition, such as `ReplicaFailure`. */
  type: ReplicaSetConditionType;
  /** Status of the condition: `True`, `False` or `Unknown`. */
  status: ConditionStatus;
  /** Time at which `status` last changed. */
  lastTransitionTime?: Time & Always;
  /** Machine-readable reason of the last transition, in CamelCase. */
  reason?: string & OmitZero;
  /** Human-readable details of the last transition. */
  message?: string & OmitZero;
}

export type ReplicaSetConditionType = Open<
  /** A pod could not be created or deleted, for example because of a quota. Removed when the next attempt succeeds. */
  "ReplicaFailure"
>;

export const replicaSet = kind<ReplicaSet>({
  plural: "replicasets",
  shortNames: ["rs"],
  categories: ["all"],
  introduced: "1.8",
  deprecated: "1.9",
  removed: "1.16",
  replacement: "apps/v1 ReplicaSet",
  subresources: {
    scale: {
      specReplicasPath: ".spec.replicas",
      statusReplicasPath: ".status.replicas",
      labelSelectorPath: ".spec.selector",
      kind: "Scale",
    },
    status: true,
  },
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "Desired", type: "integer", path: ".spec.replicas", description: "Desired number of pods." },
    { name: "Current", type: "integer", path: ".status.replicas", description: "Observed number of pods." },
    { name: "Ready", type: "integer", path: ".status.readyReplicas", description: "Number of ready pods." },
    {
      name: "Age",
      type: "string",
      path: ".metadata.creationTimestamp",
      description: "Time since the object was created.",
    },
    { name: "Containers", type: "string", priority: 1, description: "Names of the containers." },
    { name: "Images", type: "string", priority: 1, description: "Images of the containers." },
    { name: "Selector", type: "string", priority: 1, description: "Label selector of the pods." },
  ],
});
