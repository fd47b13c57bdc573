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
  type OmitZero,
  type Open,
  type PatchMerge,
  type Time,
} from "../../vocabulary.ts";

export interface StatefulSet extends Namespaced {
  spec?: StatefulSetSpec & Always;
  status?: StatefulSetStatus & Always;
}

export interface StatefulSetSpec {
  replicas?: Int32 & Default<1> & Minimum<0>;
  selector?: LabelSelector;
  template: PodTemplateSpec;
  volumeClaimTemplates?: ListAtomic<PersistentVolumeClaim>;
  serviceName?: string & Always;
  podManagementPolicy?: PodManagementPolicyType & OmitZero & Default<"OrderedReady">;
  updateStrategy?: StatefulSetUpdateStrategy & Always;
  revisionHistoryLimit?: Int32 & Default<10>;
  minReadySeconds?: Int32 & OmitZero & Minimum<0>;
  persistentVolumeClaimRetentionPolicy?: StatefulSetPersistentVolumeClaimRetentionPolicy &
    Default<{ whenDeleted: "Retain"; whenScaled: "Retain" }>;
  ordinals?: StatefulSetOrdinals;
}

export type PodManagementPolicyType = Open<"OrderedReady" | "Parallel">;

export interface StatefulSetUpdateStrategy {
  type?: StatefulSetUpdateStrategyType & OmitZero & Default<"OnDelete">;
  rollingUpdate?: RollingUpdateStatefulSetStrategy;
}

export type StatefulSetUpdateStrategyType = Open<"RollingUpdate" | "OnDelete">;

export interface RollingUpdateStatefulSetStrategy {
  partition?: Int32;
  maxUnavailable?: IntOrString;
}

export interface StatefulSetPersistentVolumeClaimRetentionPolicy {
  whenDeleted?: PersistentVolumeClaimRetentionPolicyType & OmitZero & Default<"Retain">;
  whenScaled?: PersistentVolumeClaimRetentionPolicyType & OmitZero & Default<"Retain">;
}

export type PersistentVolumeClaimRetentionPolicyType = Open<"Retain" | "Delete">;

export interface StatefulSetOrdinals {
  start?: Int32 & Always;
}

export interface StatefulSetStatus {
  observedGeneration?: Int64;
  replicas: Int32;
  readyReplicas?: Int32 & OmitZero;
  currentReplicas?: Int32 & OmitZero;
  updatedReplicas?: Int32 & OmitZero;
  currentRevision?: string & OmitZero;
  updateRevision?: string & OmitZero;
  collisionCount?: Int32;
  conditions?: ListMap<StatefulSetCondition, "type"> & PatchMerge<"type">;
  availableReplicas?: Int32 & Always;
}

export interface StatefulSetCondition {
  type: string;
  status: ConditionStatus;
  lastTransitionTime?: Time & Always;
  reason?: string & OmitZero;
  message?: string & OmitZero;
}

export const statefulSet = kind<StatefulSet>({
  plural: "statefulsets",
  shortNames: ["sts"],
  categories: ["all"],
  introduced: "1.5",
  deprecated: "1.8",
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
    { name: "Name", type: "string", format: "name", path: ".metadata.name" },
    { name: "Ready", type: "string" },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp" },
    { name: "Containers", type: "string", priority: 1 },
    { name: "Images", type: "string", priority: 1 },
  ],
});
