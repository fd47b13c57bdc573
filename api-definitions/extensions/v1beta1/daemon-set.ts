import type { ConditionStatus } from "../../core/v1/conditions.ts";
import type { PodTemplateSpec } from "../../core/v1/pod-spec.ts";
import type { LabelSelector } from "../../meta/v1/label-selector.ts";
import type { Namespaced } from "../../meta/v1/type-meta.ts";
import {
  type Always,
  type Default,
  type Deprecated,
  type Int32,
  type Int64,
  type IntOrString,
  kind,
  type ListMap,
  type Minimum,
  type OmitZero,
  type Open,
  type PatchMerge,
  type Time,
} from "../../vocabulary.ts";

export interface DaemonSet extends Namespaced {
  spec?: DaemonSetSpec & Always;
  status?: DaemonSetStatus & Always;
}

export interface DaemonSetSpec {
  selector?: LabelSelector;
  template: PodTemplateSpec;
  updateStrategy?: DaemonSetUpdateStrategy & Always;
  minReadySeconds?: Int32 & OmitZero & Minimum<0>;
  templateGeneration?: Int64 & OmitZero & Minimum<0> & Deprecated;
  revisionHistoryLimit?: Int32 & Default<10> & Minimum<0>;
}

export interface DaemonSetUpdateStrategy {
  type?: DaemonSetUpdateStrategyType & OmitZero & Default<"OnDelete">;
  rollingUpdate?: RollingUpdateDaemonSet;
}

export type DaemonSetUpdateStrategyType = Open<"RollingUpdate" | "OnDelete">;

export interface RollingUpdateDaemonSet {
  maxUnavailable?: IntOrString;
  maxSurge?: IntOrString;
}

export interface DaemonSetStatus {
  currentNumberScheduled: Int32;
  numberMisscheduled: Int32;
  desiredNumberScheduled: Int32;
  numberReady: Int32;
  observedGeneration?: Int64 & OmitZero;
  updatedNumberScheduled?: Int32 & OmitZero;
  numberAvailable?: Int32 & OmitZero;
  numberUnavailable?: Int32 & OmitZero;
  collisionCount?: Int32;
  conditions?: ListMap<DaemonSetCondition, "type"> & PatchMerge<"type">;
}

export interface DaemonSetCondition {
  type: string;
  status: ConditionStatus;
  lastTransitionTime?: Time & Always;
  reason?: string & OmitZero;
  message?: string & OmitZero;
}

export const daemonSet = kind<DaemonSet>({
  plural: "daemonsets",
  shortNames: ["ds"],
  categories: ["all"],
  introduced: "1.1",
  deprecated: "1.8",
  removed: "1.16",
  replacement: "apps/v1 DaemonSet",
  storedIn: "apps",
  subresources: { status: true },
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name" },
    { name: "Desired", type: "integer", path: ".status.desiredNumberScheduled" },
    { name: "Current", type: "integer", path: ".status.currentNumberScheduled" },
    { name: "Ready", type: "integer", path: ".status.numberReady" },
    { name: "Up-to-date", type: "integer", path: ".status.updatedNumberScheduled" },
    { name: "Available", type: "integer", path: ".status.numberAvailable" },
    { name: "Node Selector", type: "string" },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp" },
    { name: "Containers", type: "string", priority: 1 },
    { name: "Images", type: "string", priority: 1 },
    { name: "Selector", type: "string", priority: 1 },
  ],
});
