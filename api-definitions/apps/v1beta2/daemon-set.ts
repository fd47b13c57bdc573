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
  type Since,
  type Time,
} from "../../vocabulary.ts";

/**
 * Runs one copy of a pod on every node, or on the nodes that match the node selector, the affinity and the tolerations
 * of the pod template. Use it for log collectors, monitoring agents, network plugins and storage drivers. Pods are
 * added and removed as nodes join and leave the cluster.
 */
export interface DaemonSet extends Namespaced {
  /** Desired state of the DaemonSet. */
  spec?: DaemonSetSpec & Always;
  /**
   * Observed state of the DaemonSet, set by the DaemonSet controller: counts of nodes by the state of their pod, and
   * conditions.
   */
  status?: DaemonSetStatus & Always;
}

/** Which pod a DaemonSet runs on its nodes, and how it replaces pods. */
export interface DaemonSetSpec {
  /**
   * Label selector of the pods that belong to this DaemonSet. Required, must not be empty, must match the labels of
   * `template`, and cannot be changed after creation.
   */
  selector: LabelSelector & Nullable;
  /**
   * Template of the pods. Its `spec.nodeSelector` and node affinity choose the nodes; every node is used if there is
   * neither. Its labels must match `selector`, and `spec.restartPolicy` must be `Always`, which is its default;
   * `spec.activeDeadlineSeconds` is not allowed. The controller adds tolerations for nodes that are not ready,
   * unreachable, unschedulable or under pressure.
   */
  template: PodTemplateSpec;
  /** How pods are replaced when `template` changes. Defaults to a rolling update. */
  updateStrategy?: DaemonSetUpdateStrategy & Always;
  /**
   * Seconds for which a new pod must be ready, without any of its containers crashing, before it counts as available.
   * Rolling updates wait for that. If unset or 0, a pod is available as soon as it is ready.
   */
  minReadySeconds?: Int32 & OmitZero & Minimum<0>;
  /** Number of old ControllerRevisions to retain for rollbacks. 0 retains none that is not in use. */
  revisionHistoryLimit?: Int32 & Default<10> & Minimum<0>;
}

/** How a DaemonSet replaces its pods when the template changes. */
export interface DaemonSetUpdateStrategy {
  /** Strategy that replaces old pods when the template changes. */
  type?: DaemonSetUpdateStrategyType & OmitZero & Default<"RollingUpdate">;
  /** Limits of a rolling update. Used only if `type` is `RollingUpdate`; its fields have defaults of their own. */
  rollingUpdate?: RollingUpdateDaemonSet;
}

export type DaemonSetUpdateStrategyType = Open<
  /** Replaces the pods automatically, on a limited number of nodes at a time. */
  | "RollingUpdate"
  /** Leaves old pods as they are; a pod is created from the new template when the old one is deleted by hand. */
  | "OnDelete"
>;

/** Limits of a rolling update of a DaemonSet. Exactly one of `maxUnavailable` and `maxSurge` must be greater than 0. */
export interface RollingUpdateDaemonSet {
  /**
   * Maximum number of nodes whose pod may be unavailable during the update, as a number such as `5` or as a percentage
   * of the nodes that should run the pod such as `10%`. Percentages are rounded up and must not exceed `100%`. The old
   * pod of a node is deleted before the new one starts. Must not be 0 if `maxSurge` is 0, and must be 0 otherwise.
   * Defaults to 1.
   */
  maxUnavailable?: IntOrString;
  /**
   * Maximum number of nodes that may run the old and the new pod at the same time during the update, as a number such
   * as `5` or as a percentage of the nodes that should run the pod such as `10%`. Percentages are rounded up and must
   * not exceed `100%`. The old pod of a node is deleted when the new one is available, so the pods must be able to run
   * side by side and cannot use the same host port. Requires `maxUnavailable` to be 0. Defaults to 0.
   */
  maxSurge?: IntOrString & Since<"1.21">;
}

/** Observed state of a DaemonSet: counts of nodes by the state of their pod, and conditions. */
export interface DaemonSetStatus {
  /** Observed number of nodes that should run the pod and have at least one. */
  currentNumberScheduled: Int32;
  /** Observed number of nodes that run the pod although they should not. */
  numberMisscheduled: Int32;
  /** Observed number of nodes that should run the pod, whether they do or not. */
  desiredNumberScheduled: Int32;
  /** Observed number of nodes that should run the pod and have one whose condition `Ready` is `True`. */
  numberReady: Int32;
  /**
   * Value of `metadata.generation` that the controller last processed. While it is lower than `metadata.generation`,
   * the rest of the status describes an earlier spec.
   */
  observedGeneration?: Int64 & OmitZero;
  /** Observed number of nodes that should run the pod and have one that was created from the current template. */
  updatedNumberScheduled?: Int32 & OmitZero;
  /**
   * Observed number of nodes that should run the pod and have one that has been ready for at least `minReadySeconds`.
   */
  numberAvailable?: Int32 & OmitZero;
  /** Observed number of nodes that should run the pod and have no available one. */
  numberUnavailable?: Int32 & OmitZero;
  /**
   * Number of times that the name of a new ControllerRevision was already in use. The controller puts it into the hash
   * of the revision to compute another name. It never decreases.
   */
  collisionCount?: Int32;
  /** Observed conditions of the DaemonSet, set by controllers. The DaemonSet controller itself sets none. */
  conditions?: ListMap<DaemonSetCondition, "type"> & PatchMerge<"type"> & Since<"1.9">;
}

/** One aspect of the observed state of a DaemonSet. */
export interface DaemonSetCondition {
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

export const daemonSet = kind<DaemonSet>({
  plural: "daemonsets",
  shortNames: ["ds"],
  categories: ["all"],
  introduced: "1.8",
  deprecated: "1.9",
  removed: "1.16",
  replacement: "apps/v1 DaemonSet",
  subresources: { status: true },
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    {
      name: "Desired",
      type: "integer",
      path: ".status.desiredNumberScheduled",
      description: "Number of nodes that should run the pod.",
    },
    {
      name: "Current",
      type: "integer",
      path: ".status.currentNumberScheduled",
      description: "Number of nodes that should run the pod and do.",
    },
    {
      name: "Ready",
      type: "integer",
      path: ".status.numberReady",
      description: "Number of nodes that should run the pod and have a ready one.",
    },
    {
      name: "Up-to-date",
      type: "integer",
      path: ".status.updatedNumberScheduled",
      description: "Number of nodes whose pod was created from the current template.",
    },
    {
      name: "Available",
      type: "integer",
      path: ".status.numberAvailable",
      description: "Number of nodes whose pod has been ready for at least `minReadySeconds`.",
    },
    { name: "Node Selector", type: "string", description: "Node selector of the pod template." },
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
