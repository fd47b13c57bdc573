import type { ConditionStatus } from "../../core/v1/conditions.ts";
import type { PersistentVolumeClaim } from "../../core/v1/persistent-volume-claim.ts";
import type { PodTemplateSpec } from "../../core/v1/pod-spec.ts";
import type { LabelSelector } from "../../meta/v1/label-selector.ts";
import type { Namespaced } from "../../meta/v1/type-meta.ts";
import {
  type Always,
  type Default,
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
  type Since,
  type Time,
} from "../../vocabulary.ts";

/**
 * Runs pods that each have a stable name, a stable DNS name and their own persistent volumes. Use it for databases and
 * other clustered applications whose members are not interchangeable. Pods are named `<name>-<ordinal>` and retain
 * their name and claims when they are replaced. Its name must be a DNS label.
 */
export interface StatefulSet extends Namespaced {
  /** Desired state of the StatefulSet. */
  spec?: StatefulSetSpec & Always;
  /** Observed state of the StatefulSet, set by the StatefulSet controller: pod counts, revisions and conditions. */
  status?: StatefulSetStatus & Always;
}

/**
 * Which pods a StatefulSet runs, how many, which claims each has, and how pods are replaced. After creation only
 * `replicas`, `ordinals`, `template`, `updateStrategy`, `revisionHistoryLimit`, `persistentVolumeClaimRetentionPolicy`
 * and `minReadySeconds` may change.
 */
export interface StatefulSetSpec {
  /**
   * Desired number of pods. Pods with the highest ordinals are deleted first when it is reduced; their claims remain
   * unless `persistentVolumeClaimRetentionPolicy` says otherwise.
   */
  replicas?: Int32 & Default<1> & Minimum<0>;
  /**
   * Label selector of the pods that belong to this StatefulSet. Required, must not be empty, must match the labels of
   * `template`, and cannot be changed after creation.
   */
  selector: LabelSelector & Nullable;
  /**
   * Template of the pods. Its labels must match `selector`, and `spec.restartPolicy` must be `Always`, which is its
   * default; `spec.activeDeadlineSeconds` is not allowed. Each pod also gets the labels
   * `statefulset.kubernetes.io/pod-name` and `apps.kubernetes.io/pod-index`. Changes are rolled out according to
   * `updateStrategy`.
   */
  template: PodTemplateSpec;
  /**
   * Templates of the PersistentVolumeClaims that are created for each pod, named `<template>-<pod>`. A pod mounts them
   * as volumes with the name of the template, which takes precedence over a volume of the same name in `template`. A
   * replacement for a pod gets the same claims. Cannot be changed after creation.
   */
  volumeClaimTemplates?: ListAtomic<PersistentVolumeClaim>;
  /**
   * Name of the headless Service that gives the pods their DNS names, `<pod>.<serviceName>.<namespace>.svc.<cluster
   * domain>`. Must be a DNS label. The Service is not created by the StatefulSet and should exist before it. If empty,
   * pods have no DNS names of their own. Cannot be changed after creation.
   */
  serviceName?: string & Always;
  /**
   * Order in which pods are created and deleted when the StatefulSet is created or scaled. Does not affect updates.
   * Cannot be changed after creation.
   */
  podManagementPolicy?: PodManagementPolicyType & OmitZero & Default<"OrderedReady">;
  /** How pods are replaced when `template` changes. Defaults to a rolling update of all pods. */
  updateStrategy?: StatefulSetUpdateStrategy & Always;
  /**
   * Number of old ControllerRevisions to retain for rollbacks, besides those in use. A negative number retains all of
   * them; the server warns about it.
   */
  revisionHistoryLimit?: Int32 & Default<10>;
  /**
   * Seconds for which a new pod must be ready, without any of its containers crashing, before it counts as available.
   * Rolling updates wait for that. If unset or 0, a pod is available as soon as it is ready.
   */
  minReadySeconds?: Int32 & OmitZero & Minimum<0> & Since<"1.22">;
  /**
   * Whether the claims that were created from `volumeClaimTemplates` are deleted together with the StatefulSet or when
   * it is scaled down.
   */
  persistentVolumeClaimRetentionPolicy?: StatefulSetPersistentVolumeClaimRetentionPolicy &
    Default<{ whenDeleted: "Retain"; whenScaled: "Retain" }> &
    Since<"1.23">;
  /** Numbers that the pods have in their names. By default they start at 0. */
  ordinals?: StatefulSetOrdinals & Since<"1.26">;
}

export type PodManagementPolicyType = Open<
  /**
   * Creates pods one by one in the order of their ordinals, each after its predecessors are ready, and deletes them one
   * by one in reverse order.
   */
  | "OrderedReady"
  /** Creates and deletes pods all at once, without waiting for others. */
  | "Parallel"
>;

/** How a StatefulSet replaces its pods when the template changes. */
export interface StatefulSetUpdateStrategy {
  /** Strategy that replaces old pods when the template changes. Defaults to `RollingUpdate`. */
  type?: StatefulSetUpdateStrategyType & OmitZero;
  /**
   * Limits of a rolling update. Only allowed if `type` is `RollingUpdate`. If unset, all pods are updated one by one.
   */
  rollingUpdate?: RollingUpdateStatefulSetStrategy;
}

export type StatefulSetUpdateStrategyType = Open<
  /**
   * Replaces the pods automatically, from the highest ordinal to the lowest, each after the one before is available.
   */
  | "RollingUpdate"
  /** Leaves old pods as they are; a pod is created from the new template when the old one is deleted by hand. */
  | "OnDelete"
>;

/** Limits of a rolling update of a StatefulSet: which pods are updated, and how many at a time. */
export interface RollingUpdateStatefulSetStrategy {
  /**
   * Lowest ordinal to update, counted from `ordinals.start`; at least 0. Pods with a lower ordinal remain at the old
   * revision, and are created at the old revision again when they are deleted. Raise it to stage or canary an update.
   * Defaults to 0, which updates all pods.
   */
  partition?: Int32;
  /**
   * Maximum number of pods that may be unavailable during the update, as a number such as `2` or as a percentage of
   * `replicas` such as `10%`. Percentages are rounded down to at least 1 and must not exceed `100%`. Must not be 0.
   * Pods outside the update that are unavailable count, too. If unset, one pod at a time is replaced.
   */
  maxUnavailable?: IntOrString & Since<"1.24">;
}

/** What happens to the claims of `volumeClaimTemplates` when their pods are no longer needed. */
export interface StatefulSetPersistentVolumeClaimRetentionPolicy {
  /** What happens to the claims of all pods when the StatefulSet is deleted. */
  whenDeleted?: PersistentVolumeClaimRetentionPolicyType & OmitZero & Default<"Retain">;
  /** What happens to the claims of the pods that are deleted when the StatefulSet is scaled down. */
  whenScaled?: PersistentVolumeClaimRetentionPolicyType & OmitZero & Default<"Retain">;
}

export type PersistentVolumeClaimRetentionPolicyType = Open<
  /** The claims remain and are used again by pods of the same name. */
  | "Retain"
  /** The claims are deleted after the pods that used them, and their volumes according to their reclaim policy. */
  | "Delete"
>;

/** Numbers of the pods of a StatefulSet. */
export interface StatefulSetOrdinals {
  /**
   * Ordinal of the first pod, at least 0. Pods are numbered from `start` to `start` + `replicas` - 1. Useful to move a
   * StatefulSet between clusters in parts. If unset, the first ordinal is 0.
   */
  start?: Int32 & Always;
}

/** Observed state of a StatefulSet: pod counts, revisions and conditions. */
export interface StatefulSetStatus {
  /**
   * Value of `metadata.generation` that the controller last processed. While it is lower than `metadata.generation`,
   * the rest of the status describes an earlier spec.
   */
  observedGeneration?: Int64 & OmitZero;
  /** Observed number of pods that the controller has created. */
  replicas: Int32;
  /** Observed number of pods whose condition `Ready` is `True`. */
  readyReplicas?: Int32 & OmitZero;
  /** Observed number of pods at the revision `currentRevision`. */
  currentReplicas?: Int32 & OmitZero;
  /** Observed number of pods at the revision `updateRevision`. */
  updatedReplicas?: Int32 & OmitZero;
  /**
   * Name of the ControllerRevision that pods had before the update in progress. Equal to `updateRevision` if no update
   * is in progress.
   */
  currentRevision?: string & OmitZero;
  /** Name of the ControllerRevision of the newest template, which pods are updated to. */
  updateRevision?: string & OmitZero;
  /**
   * Number of times that the name of a new ControllerRevision was already in use. The controller puts it into the hash
   * of the revision to compute another name. It never decreases.
   */
  collisionCount?: Int32;
  /** Observed conditions of the StatefulSet, set by controllers. The StatefulSet controller itself sets none. */
  conditions?: ListMap<StatefulSetCondition, "type"> & PatchMerge<"type"> & Since<"1.9">;
  /** Observed number of pods that have been ready for at least `minReadySeconds`. */
  availableReplicas?: Int32 & Always & Since<"1.22">;
}

/** One aspect of the observed state of a StatefulSet. */
export interface StatefulSetCondition {
  /** Type of the condition, in CamelCase. */
  type: string;
  /** Status of the condition: `True`, `False` or `Unknown`. */
  status: ConditionStatus;
  /** Time at which `status` last changed. */
  lastTransitionTime?: Time & Always;
  /** Machine-readable reason of the last transition, in CamelCase. */
  reason?: string & OmitZero;
  /** Human-readable details of the last transition. */
  message?: string & OmitZero;
}

export const statefulSet = kind<StatefulSet>({
  plural: "statefulsets",
  shortNames: ["sts"],
  categories: ["all"],
  introduced: "1.8",
  deprecated: "1.9",
  removed: "1.16",
  replacement: "apps/v1 StatefulSet",
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
    { name: "Ready", type: "string", description: "Number of ready pods, of the desired number." },
    {
      name: "Age",
      type: "string",
      path: ".metadata.creationTimestamp",
      description: "Time since the object was created.",
    },
    { name: "Containers", type: "string", priority: 1, description: "Names of the containers." },
    { name: "Images", type: "string", priority: 1, description: "Images of the containers." },
  ],
});
