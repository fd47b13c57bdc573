import type { ConditionStatus } from "../../core/v1/conditions.ts";
import type { PodTemplateSpec } from "../../core/v1/pod-spec.ts";
import type { LabelSelector } from "../../meta/v1/label-selector.ts";
import type { Namespaced } from "../../meta/v1/type-meta.ts";
import {
  type Always,
  type Default,
  type Gated,
  type Int32,
  type Int64,
  kind,
  type ListMap,
  type Minimum,
  type Nullable,
  type OmitZero,
  type Open,
  type PatchMerge,
  type Time,
} from "../../vocabulary.ts";

/** Keeps a number of equal pods running. */
export interface ReplicaSet extends Namespaced {
  /** What is asked for. */
  spec?: ReplicaSetSpec & Always;
  /** What is the case, as last seen. */
  status?: ReplicaSetStatus & Always;
}

/** How many pods, and which. */
export interface ReplicaSetSpec {
  /** How many pods should run. */
  replicas?: Int32 & Default<1> & Minimum<0>;
  /** Seconds a new pod must be ready to count as available. */
  minReadySeconds?: Int32 & OmitZero & Minimum<0>;
  /** Which pods belong to it; fixed for good. */
  selector: LabelSelector & Nullable;
  /** The pod to copy. */
  template?: PodTemplateSpec & Always;
}

/** How many pods there are. */
export interface ReplicaSetStatus {
  /** Pods that exist. */
  replicas: Int32;
  /** Pods that carry all labels of the template. */
  fullyLabeledReplicas?: Int32 & OmitZero;
  /** Pods that are ready. */
  readyReplicas?: Int32 & OmitZero;
  /** Pods that have been ready long enough. */
  availableReplicas?: Int32 & OmitZero;
  /** Pods that are on their way out. */
  terminatingReplicas?: Int32 & Gated<"DeploymentReplicaSetTerminatingReplicas">;
  /** Generation the controller last acted on. */
  observedGeneration?: Int64 & OmitZero;
  /** What keeps it from its number. */
  conditions?: ListMap<ReplicaSetCondition, "type"> & PatchMerge<"type">;
}

/** One finding about a replica set. */
export interface ReplicaSetCondition {
  /** What the finding is about. */
  type: ReplicaSetConditionType;
  /** Whether it holds: `True`, `False` or `Unknown`. */
  status: ConditionStatus;
  /** When the status last changed. */
  lastTransitionTime?: Time & Always;
  /** A word for the cause. */
  reason?: string & OmitZero;
  /** The cause, for people. */
  message?: string & OmitZero;
}

export type ReplicaSetConditionType = Open<"ReplicaFailure">;

export const replicaSet = kind<ReplicaSet>({
  plural: "replicasets",
  shortNames: ["rs"],
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
    { name: "Desired", type: "integer", path: ".spec.replicas", description: "How many there should be." },
    { name: "Current", type: "integer", path: ".status.replicas", description: "How many there are." },
    { name: "Ready", type: "integer", path: ".status.readyReplicas", description: "How many are ready." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
    { name: "Containers", type: "string", priority: 1, description: "Names of the containers." },
    { name: "Images", type: "string", priority: 1, description: "Images of the containers." },
    { name: "Selector", type: "string", priority: 1, description: "Labels of the pods." },
  ],
});
