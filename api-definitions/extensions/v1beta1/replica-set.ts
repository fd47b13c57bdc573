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
  type OmitZero,
  type Open,
  type PatchMerge,
  type Time,
} from "../../vocabulary.ts";

export interface ReplicaSet extends Namespaced {
  spec?: ReplicaSetSpec & Always;
  status?: ReplicaSetStatus & Always;
}

export interface ReplicaSetSpec {
  replicas?: Int32 & Default<1> & Minimum<0>;
  minReadySeconds?: Int32 & OmitZero & Minimum<0>;
  selector?: LabelSelector;
  template?: PodTemplateSpec & Always;
}

export interface ReplicaSetStatus {
  replicas: Int32;
  fullyLabeledReplicas?: Int32 & OmitZero;
  readyReplicas?: Int32 & OmitZero;
  availableReplicas?: Int32 & OmitZero;
  terminatingReplicas?: Int32;
  observedGeneration?: Int64 & OmitZero;
  conditions?: ListMap<ReplicaSetCondition, "type"> & PatchMerge<"type">;
}

export interface ReplicaSetCondition {
  type: ReplicaSetConditionType;
  status: ConditionStatus;
  lastTransitionTime?: Time & Always;
  reason?: string & OmitZero;
  message?: string & OmitZero;
}

export type ReplicaSetConditionType = Open<"ReplicaFailure">;

export const replicaSet = kind<ReplicaSet>({
  plural: "replicasets",
  shortNames: ["rs"],
  categories: ["all"],
  introduced: "1.2",
  deprecated: "1.8",
  removed: "1.16",
  replacement: "apps/v1 ReplicaSet",
  storedIn: "apps",
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
    { name: "Desired", type: "integer", path: ".spec.replicas" },
    { name: "Current", type: "integer", path: ".status.replicas" },
    { name: "Ready", type: "integer", path: ".status.readyReplicas" },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp" },
    { name: "Containers", type: "string", priority: 1 },
    { name: "Images", type: "string", priority: 1 },
    { name: "Selector", type: "string", priority: 1 },
  ],
});
