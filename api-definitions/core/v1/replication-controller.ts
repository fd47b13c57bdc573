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

/**
 * Ensures that a number of pods with the same template run at any time. Superseded by Deployment and ReplicaSet, which
 * support rolling updates and label selectors with expressions; use those for new workloads. If it has no labels, it
 * gets those of its template.
 */
export interface ReplicationController extends Namespaced {
  /** Desired state of the ReplicationController: number of pods, which pods belong to it, and their template. */
  spec?: ReplicationControllerSpec & Always;
  /** Observed state of the ReplicationController, set by the replication controller: numbers of pods and conditions. */
  status?: ReplicationControllerStatus & Always;
}

/** Desired state of a ReplicationController. */
export interface ReplicationControllerSpec {
  /** Desired number of pods. Can also be changed through the subresource `scale`. */
  replicas?: Int32 & Default<1> & Published & Minimum<0>;
  /**
   * Seconds that a new pod must be ready, without a crash of its containers, to count as available. With `0` it is
   * available as soon as it is ready.
   */
  minReadySeconds?: Int32 & OmitZero & Default<0> & Published & Minimum<0>;
  /**
   * Labels, with their values, by which pods belong to this controller; a pod must have all of them. Defaults to the
   * labels of `template`; must match these.
   */
  selector?: MapAtomic<string>;
  /**
   * Template of the pods that are created when there are too few. Required. `restartPolicy` must be `Always`;
   * `activeDeadlineSeconds` is not allowed. A change does not affect existing pods.
   */
  template?: PodTemplateSpec;
}

/** Observed state of a ReplicationController. */
export interface ReplicationControllerStatus {
  /** Observed number of pods that belong to the controller. */
  replicas: Int32;
  /** Number of pods that have all labels of the template. */
  fullyLabeledReplicas?: Int32 & OmitZero;
  /** Number of pods whose condition `Ready` is `True`. */
  readyReplicas?: Int32 & OmitZero;
  /** Number of pods that have been ready for at least `minReadySeconds`. */
  availableReplicas?: Int32 & OmitZero;
  /**
   * `metadata.generation` of the object that the controller last acted on. If it is lower than the current one, the
   * status is outdated.
   */
  observedGeneration?: Int64 & OmitZero;
  /** Conditions of the ReplicationController. Empty unless something prevents it from reaching its desired state. */
  conditions?: ListMap<ReplicationControllerCondition, "type"> & PatchMerge<"type">;
}

/** A condition of a ReplicationController. */
export interface ReplicationControllerCondition {
  /**
   * Type of the condition, such as `ReplicaFailure`: a pod could not be created or deleted, because of a quota, for
   * example.
   */
  type: ReplicationControllerConditionType;
  /** Status of the condition: `True`, `False` or `Unknown`. */
  status: ConditionStatus;
  /** Time at which `status` last changed. */
  lastTransitionTime?: Time & Always;
  /** Machine-readable reason of the last transition, in CamelCase. */
  reason?: string & OmitZero;
  /** Human-readable details of the last transition. */
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
    { name: "Desired", type: "integer", path: ".spec.replicas", description: "Desired number of pods." },
    { name: "Current", type: "integer", path: ".status.replicas", description: "Observed number of pods." },
    { name: "Ready", type: "integer", path: ".status.readyReplicas", description: "Number of ready pods." },
    {
      name: "Age",
      type: "string",
      path: ".metadata.creationTimestamp",
      description: "Time since its creation.",
    },
    { name: "Containers", type: "string", priority: 1, description: "Names of the containers." },
    { name: "Images", type: "string", priority: 1, description: "Images of the containers." },
    { name: "Selector", type: "string", priority: 1, description: "Label selector of the pods." },
  ],
});
