import type { ConditionStatus } from "../../core/v1/conditions.ts";
import type { PodTemplateSpec } from "../../core/v1/pod-spec.ts";
import type { LabelSelector } from "../../meta/v1/label-selector.ts";
import type { Namespaced, TypeMeta } from "../../meta/v1/type-meta.ts";
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
  type PatchRetainKeys,
  type Time,
} from "../../vocabulary.ts";

export interface Deployment extends Namespaced {
  spec?: DeploymentSpec & Always;
  status?: DeploymentStatus & Always;
}

export interface DeploymentSpec {
  replicas?: Int32 & Default<1> & Minimum<0>;
  selector?: LabelSelector;
  template: PodTemplateSpec;
  strategy?: DeploymentStrategy & Always & PatchRetainKeys;
  minReadySeconds?: Int32 & OmitZero & Minimum<0>;
  revisionHistoryLimit?: Int32 & Default<2> & Minimum<0>;
  paused?: boolean & OmitZero;
  rollbackTo?: RollbackConfig & Deprecated;
  progressDeadlineSeconds?: Int32 & Default<600> & Minimum<0>;
}

export interface DeploymentStrategy {
  type?: DeploymentStrategyType & OmitZero & Default<"RollingUpdate">;
  rollingUpdate?: RollingUpdateDeployment;
}

export type DeploymentStrategyType = Open<"Recreate" | "RollingUpdate">;

export interface RollingUpdateDeployment {
  maxUnavailable?: IntOrString;
  maxSurge?: IntOrString;
}

export interface RollbackConfig {
  revision?: Int64 & OmitZero;
}

export interface DeploymentStatus {
  observedGeneration?: Int64 & OmitZero;
  replicas?: Int32 & OmitZero;
  updatedReplicas?: Int32 & OmitZero;
  readyReplicas?: Int32 & OmitZero;
  availableReplicas?: Int32 & OmitZero;
  unavailableReplicas?: Int32 & OmitZero;
  terminatingReplicas?: Int32;
  conditions?: ListMap<DeploymentCondition, "type"> & PatchMerge<"type">;
  collisionCount?: Int32;
}

export interface DeploymentCondition {
  type: DeploymentConditionType;
  status: ConditionStatus;
  lastUpdateTime?: Time & Always;
  lastTransitionTime?: Time & Always;
  reason?: string & OmitZero;
  message?: string & OmitZero;
}

export type DeploymentConditionType = Open<"Available" | "Progressing" | "ReplicaFailure">;

export interface DeploymentRollback extends TypeMeta {
  name: string;
  updatedAnnotations?: Record<string, string>;
  rollbackTo: RollbackConfig;
}

export const deployment = kind<Deployment>({
  plural: "deployments",
  shortNames: ["deploy"],
  categories: ["all"],
  introduced: "1.6",
  deprecated: "1.8",
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
    rollback: { kind: "DeploymentRollback", verbs: ["create"] },
  },
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name" },
    { name: "Ready", type: "string" },
    { name: "Up-to-date", type: "string" },
    { name: "Available", type: "string" },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp" },
    { name: "Containers", type: "string", priority: 1 },
    { name: "Images", type: "string", priority: 1 },
    { name: "Selector", type: "string", priority: 1 },
  ],
});

export const deploymentRollback = kind<DeploymentRollback>({
  unserved: true,
  introduced: "1.6",
  deprecated: "1.8",
  removed: "1.16",
  replacement: "apps/v1 DeploymentRollback",
});
