import type { ConditionStatus } from "../../core/v1/conditions.ts";
import type { PodTemplateSpec } from "../../core/v1/pod-spec.ts";
import type { LabelSelector } from "../../meta/v1/label-selector.ts";
import type { Namespaced } from "../../meta/v1/type-meta.ts";
import {
  type Always,
  type Int32,
  type Int64,
  kind,
  type ListAtomic,
  type ListSet,
  type Minimum,
  type OmitZero,
  type Open,
  type PatchMerge,
  type Time,
} from "../../vocabulary.ts";
import type { PodFailurePolicy, SuccessPolicy } from "./pod-failure-policy.ts";

export interface Job extends Namespaced {
  spec?: JobSpec & Always;
  status?: JobStatus & Always;
}

export interface JobSpec {
  parallelism?: Int32 & Minimum<0>;
  completions?: Int32 & Minimum<0>;
  activeDeadlineSeconds?: Int64 & Minimum<0>;
  podFailurePolicy?: PodFailurePolicy;
  successPolicy?: SuccessPolicy;
  backoffLimit?: Int32 & Minimum<0>;
  backoffLimitPerIndex?: Int32 & Minimum<0>;
  maxFailedIndexes?: Int32 & Minimum<0>;
  selector?: LabelSelector;
  manualSelector?: boolean;
  template: PodTemplateSpec;
  ttlSecondsAfterFinished?: Int32 & Minimum<0>;
  completionMode?: CompletionMode;
  suspend?: boolean;
  podReplacementPolicy?: PodReplacementPolicy;
  managedBy?: string;
}

export type CompletionMode = "NonIndexed" | "Indexed";

export type PodReplacementPolicy = "TerminatingOrFailed" | "Failed";

export interface JobStatus {
  conditions?: ListAtomic<JobCondition> & PatchMerge<"type">;
  startTime?: Time;
  completionTime?: Time;
  active?: Int32 & OmitZero;
  succeeded?: Int32 & OmitZero;
  failed?: Int32 & OmitZero;
  terminating?: Int32;
  completedIndexes?: string & OmitZero;
  failedIndexes?: string;
  uncountedTerminatedPods?: UncountedTerminatedPods;
  ready?: Int32;
}

export interface JobCondition {
  type: JobConditionType;
  status: ConditionStatus;
  lastProbeTime?: Time & Always;
  lastTransitionTime?: Time & Always;
  reason?: string & OmitZero;
  message?: string & OmitZero;
}

export type JobConditionType = Open<"Suspended" | "Complete" | "Failed" | "FailureTarget" | "SuccessCriteriaMet">;

export interface UncountedTerminatedPods {
  succeeded?: ListSet<string>;
  failed?: ListSet<string>;
}

export const job = kind<Job>({
  plural: "jobs",
  categories: ["all"],
  introduced: "1.2",
  subresources: { status: true },
  selectableFields: ["status.successful"],
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name" },
    { name: "Status", type: "string" },
    { name: "Completions", type: "string" },
    { name: "Duration", type: "string" },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp" },
    { name: "Containers", type: "string", priority: 1 },
    { name: "Images", type: "string", priority: 1 },
    { name: "Selector", type: "string", priority: 1 },
  ],
});
