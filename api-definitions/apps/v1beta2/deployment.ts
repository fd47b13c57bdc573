import type { ConditionStatus } from "../../core/v1/conditions.ts";
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
  type ListMap,
  type Minimum,
  type Nullable,
  type OmitZero,
  type Open,
  type PatchMerge,
  type PatchRetainKeys,
  type Since,
  type Time,
} from "../../vocabulary.ts";

/**
 * Runs a number of identical pods and replaces them in a controlled way when their template changes. Use it for
 * stateless applications. For each version of the template it creates a ReplicaSet, which creates the pods; earlier
 * ReplicaSets remain as the history for rollbacks.
 */
export interface Deployment extends Namespaced {
  /** Desired state of the Deployment. */
  spec?: DeploymentSpec & Always;
  /**
   * Observed state of the Deployment, set by the Deployment controller: pod counts, progress of the rollout and
   * conditions.
   */
  status?: DeploymentStatus & Always;
}

/**
 * Which pods a Deployment runs, how many, and how it replaces them. Changing `template` starts a rollout; changing only
 * `replicas` scales without one.
 */
export interface DeploymentSpec {
  /**
   * Desired number of pods. 0 stops all pods and retains the Deployment. If a HorizontalPodAutoscaler scales this
   * Deployment, it owns this field: leave it out of manifests that are applied again.
   */
  replicas?: Int32 & Default<1> & Minimum<0>;
  /**
   * Label selector of the pods and ReplicaSets that belong to this Deployment. Required, must not be empty, must match
   * the labels of `template`, and cannot be changed after creation. It must not overlap with the selector of another
   * workload in the namespace, or the controllers compete for the pods.
   */
  selector: LabelSelector & Nullable;
  /**
   * Template of the pods. Its labels must match `selector`, and `spec.restartPolicy` must be `Always`, which is its
   * default; `spec.activeDeadlineSeconds` is not allowed. Any change to the template starts a rollout.
   */
  template: PodTemplateSpec;
  /** How old pods are replaced by new ones when `template` changes. Defaults to a rolling update. */
  strategy?: DeploymentStrategy & Always & PatchRetainKeys;
  /**
   * Seconds for which a new pod must be ready, without any of its containers crashing, before it counts as available. A
   * rollout waits for that before it replaces more pods. If unset or 0, a pod is available as soon as it is ready. Must
   * be less than `progressDeadlineSeconds`.
   */
  minReadySeconds?: Int32 & OmitZero & Minimum<0>;
  /**
   * Number of old ReplicaSets to retain for rollbacks. 0 retains none, so that the Deployment cannot be rolled back.
   */
  revisionHistoryLimit?: Int32 & Default<10> & Minimum<0>;
  /**
   * Pauses rollouts: changes to `template` have no effect until it is `false` again, and then take effect in one
   * rollout. Scaling still works, and `progressDeadlineSeconds` is not measured meanwhile.
   */
  paused?: boolean & OmitZero;
  /**
   * Seconds in which a rollout must make progress. After that the condition `Progressing` becomes `False` with the
   * reason `ProgressDeadlineExceeded`; the controller keeps trying and does not roll back. Must be greater than
   * `minReadySeconds`. Not measured while the Deployment is paused.
   */
  progressDeadlineSeconds?: Int32 & Default<600> & Minimum<0>;
}

/** How a Deployment replaces old pods by new ones. */
export interface DeploymentStrategy {
  /** Strategy that replaces old pods when the template changes. */
  type?: DeploymentStrategyType & OmitZero & Default<"RollingUpdate">;
  /** Limits of a rolling update. Only allowed if `type` is `RollingUpdate`; its fields have defaults of their own. */
  rollingUpdate?: RollingUpdateDeployment;
}

export type DeploymentStrategyType = Open<
  /**
   * Deletes all old pods before it creates new ones. Causes downtime; for applications that cannot run two versions at
   * the same time.
   */
  | "Recreate"
  /** Replaces old pods by new ones gradually, within the limits of `rollingUpdate`. */
  | "RollingUpdate"
>;

/**
 * Limits of a rolling update: how far the number of pods may fall below and rise above `replicas` while pods are
 * replaced.
 */
export interface RollingUpdateDeployment {
  /**
   * Maximum number of pods that may be unavailable during the update, as a number such as `5` or as a percentage of
   * `replicas` such as `10%`. Percentages are rounded down and must not exceed `100%`. For 10 pods, `25%` is 2, so that
   * at least 8 are available at all times. Must not be 0 if `maxSurge` is 0; if both are 0 after rounding, 1 pod may be
   * unavailable. Defaults to `25%`.
   */
  maxUnavailable?: IntOrString;
  /**
   * Maximum number of pods that may exist above `replicas` during the update, as a number such as `5` or as a
   * percentage of `replicas` such as `10%`. Percentages are rounded up and may exceed `100%`. For 10 pods, `25%` is 3,
   * so that at most 13 exist at any time, not counting those that are terminating. Must not be 0 if `maxUnavailable` is
   * 0. Defaults to `25%`.
   */
  maxSurge?: IntOrString;
}

/** Observed state of a Deployment: pod counts, progress of the rollout and conditions. */
export interface DeploymentStatus {
  /**
   * Value of `metadata.generation` that the controller last processed. While it is lower than `metadata.generation`,
   * the rest of the status describes an earlier spec.
   */
  observedGeneration?: Int64 & OmitZero;
  /** Observed number of pods of all ReplicaSets of this Deployment, not counting those that are terminating. */
  replicas?: Int32 & OmitZero;
  /** Observed number of pods that were created from the current template, not counting those that are terminating. */
  updatedReplicas?: Int32 & OmitZero;
  /** Observed number of pods whose condition `Ready` is `True`, not counting those that are terminating. */
  readyReplicas?: Int32 & OmitZero;
  /** Observed number of pods that have been ready for at least `minReadySeconds`. */
  availableReplicas?: Int32 & OmitZero;
  /**
   * Observed number of pods that are still missing for full availability: not created yet, not ready, or not ready for
   * `minReadySeconds` yet.
   */
  unavailableReplicas?: Int32 & OmitZero;
  /** Observed number of pods that are being deleted and have not stopped yet. They are not part of the other counts. */
  terminatingReplicas?: Int32 & Since<"1.33">;
  /**
   * Observed conditions of the Deployment, set by the Deployment controller: `Available`, `Progressing` and
   * `ReplicaFailure`.
   */
  conditions?: ListMap<DeploymentCondition, "type"> & PatchMerge<"type">;
  /**
   * Number of times that the name of a new ReplicaSet was already in use. The controller puts it into the hash of the
   * template to compute another name. It never decreases.
   */
  collisionCount?: Int32;
}

/** One aspect of the observed state of a Deployment, such as whether its rollout makes progress. */
export interface DeploymentCondition {
  /** Type of the condition, such as `Available`. */
  type: DeploymentConditionType;
  /** Status of the condition: `True`, `False` or `Unknown`. */
  status: ConditionStatus;
  /** Time at which any part of the condition was last updated. */
  lastUpdateTime?: Time & Always;
  /** Time at which `status` last changed. */
  lastTransitionTime?: Time & Always;
  /** Machine-readable reason of the last transition, in CamelCase. */
  reason?: string & OmitZero;
  /** Human-readable details of the last transition. */
  message?: string & OmitZero;
}

export type DeploymentConditionType = Open<
  /** Enough pods are available: at least `replicas` minus `maxUnavailable`. */
  | "Available"
  /** The rollout makes progress or is complete. `False` if it made no progress for `progressDeadlineSeconds`. */
  | "Progressing"
  /** A pod could not be created or deleted, for example because of a quota. */
  | "ReplicaFailure"
>;

export const deployment = kind<Deployment>({
  plural: "deployments",
  shortNames: ["deploy"],
  categories: ["all"],
  introduced: "1.8",
  deprecated: "1.9",
  removed: "1.16",
  replacement: "apps/v1 Deployment",
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
    { name: "Up-to-date", type: "string", description: "Number of pods that were created from the current template." },
    {
      name: "Available",
      type: "string",
      description: "Number of pods that have been ready for at least `minReadySeconds`.",
    },
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
