import type { Namespaced } from "../../meta/v1/type-meta.ts";
import {
  type Always,
  type Default,
  type Int32,
  type Int64,
  kind,
  type ListMap,
  type MapAtomic,
  type Minimum,
  type OmitZero,
  type Open,
  type PatchMerge,
  type Published,
  type Time,
} from "../../vocabulary.ts";
import type { ConditionStatus } from "./conditions.ts";
import type { PodTemplateSpec } from "./pod-spec.ts";

export interface ReplicationController extends Namespaced {
  spec?: ReplicationControllerSpec & Always;
  status?: ReplicationControllerStatus & Always;
}

export interface ReplicationControllerSpec {
  replicas?: Int32 & Default<1> & Published & Minimum<0>;
  minReadySeconds?: Int32 & OmitZero & Default<0> & Published & Minimum<0>;
  selector?: MapAtomic<string>;
  template?: PodTemplateSpec;
}

export interface ReplicationControllerStatus {
  replicas: Int32;
  fullyLabeledReplicas?: Int32 & OmitZero;
  readyReplicas?: Int32 & OmitZero;
  availableReplicas?: Int32 & OmitZero;
  observedGeneration?: Int64 & OmitZero;
  conditions?: ListMap<ReplicationControllerCondition, "type"> & PatchMerge<"type">;
}

export interface ReplicationControllerCondition {
  type: ReplicationControllerConditionType;
  status: ConditionStatus;
  lastTransitionTime?: Time & Always;
  reason?: string & OmitZero;
  message?: string & OmitZero;
}

export type ReplicationControllerConditionType = Open<"ReplicaFailure">;

export const replicationController = kind<ReplicationController>({
  plural: "replicationcontrollers",
  shortNames: ["rc"],
  categories: ["all"],
  introduced: "1.0",
  storedAs: "controllers",
  subresources: {
    scale: {
      specReplicasPath: ".spec.replicas",
      statusReplicasPath: ".status.replicas",
      labelSelectorPath: ".spec.selector",
    },
    status: true,
  },
  selectableFields: ["status.replicas"],
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
