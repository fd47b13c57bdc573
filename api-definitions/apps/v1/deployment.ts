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
  type IntOrString,
  kind,
  type ListMap,
  type Minimum,
  type Nullable,
  type OmitZero,
  type Open,
  type PatchMerge,
  type PatchRetainKeys,
  type Time,
} from "../../vocabulary.ts";

/** Keeps a replicated set of pods running and rolls out changes to them. */
export interface Deployment extends Namespaced {
  /** What is asked for. */
  spec?: DeploymentSpec & Always;
  /** What is the case, as last seen. */
  status?: DeploymentStatus & Always;
}

/** How many pods, which, and how they change. */
export interface DeploymentSpec {
  /** How many pods should run. */
  replicas?: Int32 & Default<1> & Minimum<0>;
  /** Which pods belong to this deployment; fixed for good. */
  selector: LabelSelector & Nullable;
  /** The pod to copy. */
  template: PodTemplateSpec;
  /** How pods are replaced when the template changes. */
  strategy?: DeploymentStrategy & Always & PatchRetainKeys;
  /** Seconds a new pod must be ready to count as available. */
  minReadySeconds?: Int32 & OmitZero & Minimum<0>;
  /** How many past states are kept. */
  revisionHistoryLimit?: Int32 & Default<10> & Minimum<0>;
  /** Holds back roll-outs. */
  paused?: boolean & OmitZero;
  /** Seconds without progress after which a roll-out counts as failed. */
  progressDeadlineSeconds?: Int32 & Default<600> & Minimum<0>;
}

/** How pods are replaced when the template changes. */
export interface DeploymentStrategy {
  /** Bit by bit, or all old pods first. */
  type?: DeploymentStrategyType & OmitZero & Default<"RollingUpdate">;
  /** How many at a time. */
  rollingUpdate?: RollingUpdateDeployment;
}

export type DeploymentStrategyType = "Recreate" | "RollingUpdate";

/** How many pods are replaced at a time. */
export interface RollingUpdateDeployment {
  /** How many pods, or what share, may be missing. */
  maxUnavailable?: IntOrString;
  /** How many pods, or what share, may be added on top. */
  maxSurge?: IntOrString;
}

/** How far a deployment is. */
export interface DeploymentStatus {
  /** Generation the controller last acted on. */
  observedGeneration?: Int64 & OmitZero;
  /** Pods that exist. */
  replicas?: Int32 & OmitZero;
  /** Pods of the newest template. */
  updatedReplicas?: Int32 & OmitZero;
  /** Pods that are ready. */
  readyReplicas?: Int32 & OmitZero;
  /** Pods that have been ready long enough. */
  availableReplicas?: Int32 & OmitZero;
  /** Pods that are still missing. */
  unavailableReplicas?: Int32 & OmitZero;
  /** Pods that are on their way out. */
  terminatingReplicas?: Int32 & Gated<"DeploymentReplicaSetTerminatingReplicas">;
  /** Findings about the roll-out. */
  conditions?: ListMap<DeploymentCondition, "type"> & PatchMerge<"type">;
  /** Keeps names of replica sets apart. */
  collisionCount?: Int32;
}

/** One finding about a deployment. */
export interface DeploymentCondition {
  /** What the finding is about. */
  type: DeploymentConditionType;
  /** Whether it holds: `True`, `False` or `Unknown`. */
  status: ConditionStatus;
  /** When the finding was last updated. */
  lastUpdateTime?: Time & Always;
  /** When the status last changed. */
  lastTransitionTime?: Time & Always;
  /** A word for the cause. */
  reason?: string & OmitZero;
  /** The cause, for people. */
  message?: string & OmitZero;
}

export type DeploymentConditionType = Open<"Available" | "Progressing" | "ReplicaFailure">;

export const deployment = kind<Deployment>({
  plural: "deployments",
  shortNames: ["deploy"],
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
    { name: "Up-to-date", type: "string", description: "How many have the newest template." },
    { name: "Available", type: "string", description: "How many have been ready long enough." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
    { name: "Containers", type: "string", priority: 1, description: "Names of the containers." },
    { name: "Images", type: "string", priority: 1, description: "Images of the containers." },
    { name: "Selector", type: "string", priority: 1, description: "Labels of the pods." },
  ],
});
