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
  type Time,
} from "../../vocabulary.ts";

/** Runs one copy of a pod on every node, or on some of them. */
export interface DaemonSet extends Namespaced {
  /** What is asked for. */
  spec?: DaemonSetSpec & Always;
  /** What is the case, as last seen. */
  status?: DaemonSetStatus & Always;
}

/** Which pods run on which nodes. */
export interface DaemonSetSpec {
  /** Which pods belong to it. */
  selector: LabelSelector & Nullable;
  /** The pod to copy. */
  template: PodTemplateSpec;
  /** How pods are replaced when the template changes. */
  updateStrategy?: DaemonSetUpdateStrategy & Always;
  /** Seconds a new pod must be ready to count as available. */
  minReadySeconds?: Int32 & OmitZero & Minimum<0>;
  /** How many past states are kept. */
  revisionHistoryLimit?: Int32 & Default<10> & Minimum<0>;
}

/** How pods are replaced when the template changes. */
export interface DaemonSetUpdateStrategy {
  /** Node by node, or only as pods are deleted. */
  type?: DaemonSetUpdateStrategyType & OmitZero & Default<"RollingUpdate">;
  /** How many at a time. */
  rollingUpdate?: RollingUpdateDaemonSet;
}

export type DaemonSetUpdateStrategyType = Open<"RollingUpdate" | "OnDelete">;

/** How many pods are replaced at a time. */
export interface RollingUpdateDaemonSet {
  /** How many nodes may be without a running pod. */
  maxUnavailable?: IntOrString;
  /** How many nodes may run the old and the new pod at once. */
  maxSurge?: IntOrString;
}

/** How many nodes run the pod. */
export interface DaemonSetStatus {
  /** Nodes that run the pod and should. */
  currentNumberScheduled: Int32;
  /** Nodes that run the pod and should not. */
  numberMisscheduled: Int32;
  /** Nodes that should run the pod. */
  desiredNumberScheduled: Int32;
  /** Nodes whose pod is ready. */
  numberReady: Int32;
  /** Generation the controller last acted on. */
  observedGeneration?: Int64 & OmitZero;
  /** Nodes that run the newest pod. */
  updatedNumberScheduled?: Int32 & OmitZero;
  /** Nodes whose pod has been ready long enough. */
  numberAvailable?: Int32 & OmitZero;
  /** Nodes that lack an available pod. */
  numberUnavailable?: Int32 & OmitZero;
  /** Keeps names of past states apart. */
  collisionCount?: Int32;
  /** Findings about the set. */
  conditions?: ListMap<DaemonSetCondition, "type"> & PatchMerge<"type">;
}

/** One finding about a daemon set. */
export interface DaemonSetCondition {
  /** What the finding is about. */
  type: string;
  /** Whether it holds: `True`, `False` or `Unknown`. */
  status: ConditionStatus;
  /** When the status last changed. */
  lastTransitionTime?: Time & Always;
  /** A word for the cause. */
  reason?: string & OmitZero;
  /** The cause, for people. */
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
      description: "How many there should be.",
    },
    { name: "Current", type: "integer", path: ".status.currentNumberScheduled", description: "How many there are." },
    { name: "Ready", type: "integer", path: ".status.numberReady", description: "How many are ready." },
    {
      name: "Up-to-date",
      type: "integer",
      path: ".status.updatedNumberScheduled",
      description: "How many have the newest template.",
    },
    {
      name: "Available",
      type: "integer",
      path: ".status.numberAvailable",
      description: "How many have been ready long enough.",
    },
    { name: "Node Selector", type: "string", description: "Labels of the nodes." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
    { name: "Containers", type: "string", priority: 1, description: "Names of the containers." },
    { name: "Images", type: "string", priority: 1, description: "Images of the containers." },
    { name: "Selector", type: "string", priority: 1, description: "Labels of the pods." },
  ],
});
