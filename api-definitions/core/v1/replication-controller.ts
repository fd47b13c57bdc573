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

/** Keeps a number of equal pods running; the forerunner of ReplicaSet. */
export interface ReplicationController extends Namespaced {
  /** What is asked for. */
  spec?: ReplicationControllerSpec & Always;
  /** What is the case, as last seen. */
  status?: ReplicationControllerStatus & Always;
}

/** How many pods, and which. */
export interface ReplicationControllerSpec {
  /** How many pods should run. */
  replicas?: Int32 & Default<1> & Published & Minimum<0>;
  /** Seconds a new pod must be ready to count as available. */
  minReadySeconds?: Int32 & OmitZero & Default<0> & Published & Minimum<0>;
  /** Labels of the pods that belong to it. */
  selector?: MapAtomic<string>;
  /** The pod to copy. */
  template?: PodTemplateSpec;
}

/** How many pods there are. */
export interface ReplicationControllerStatus {
  /** Pods that exist. */
  replicas: Int32;
  /** Pods that carry all labels of the template. */
  fullyLabeledReplicas?: Int32 & OmitZero;
  /** Pods that are ready. */
  readyReplicas?: Int32 & OmitZero;
  /** Pods that have been ready long enough. */
  availableReplicas?: Int32 & OmitZero;
  /** Generation the controller last acted on. */
  observedGeneration?: Int64 & OmitZero;
  /** What keeps it from its number. */
  conditions?: ListMap<ReplicationControllerCondition, "type"> & PatchMerge<"type">;
}

/** One finding about an object. */
export interface ReplicationControllerCondition {
  /** What the finding is about. */
  type: ReplicationControllerConditionType;
  /** Whether it holds: `True`, `False` or `Unknown`. */
  status: ConditionStatus;
  /** When the status last changed. */
  lastTransitionTime?: Time & Always;
  /** A word for the cause. */
  reason?: string & OmitZero;
  /** The cause, for people. */
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
