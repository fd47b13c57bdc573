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

/** Runs pods until enough of them have finished their work. */
export interface Job extends Namespaced {
  /** What is asked for. */
  spec?: JobSpec & Always;
  /** What is the case, as last seen. */
  status?: JobStatus & Always;
}

/** What work is to be done, and when it counts as done or failed. */
export interface JobSpec {
  /** How many pods may run at once. */
  parallelism?: Int32 & Minimum<0>;
  /** How many pods must finish. */
  completions?: Int32 & Minimum<0>;
  /** Seconds after which the job is ended, come what may. */
  activeDeadlineSeconds?: Int64 & Minimum<0>;
  /** What failures of pods mean. */
  podFailurePolicy?: PodFailurePolicy;
  /** When the job counts as done before all pods have finished. */
  successPolicy?: SuccessPolicy;
  /** How many failed pods end the job. */
  backoffLimit?: Int32 & Minimum<0>;
  /** How many failed pods end an index. */
  backoffLimitPerIndex?: Int32 & Minimum<0>;
  /** How many failed indexes end the job. */
  maxFailedIndexes?: Int32 & Minimum<0>;
  /** Which pods belong to it; set by the server unless `manualSelector`. */
  selector?: LabelSelector;
  /** Takes the selector as given. */
  manualSelector?: boolean;
  /** The pod to run. */
  template: PodTemplateSpec;
  /** Seconds after its end when the job is deleted. */
  ttlSecondsAfterFinished?: Int32 & Minimum<0>;
  /** Whether pods are alike, or each has an index of its own. */
  completionMode?: CompletionMode;
  /** Runs no pods for now. */
  suspend?: boolean;
  /** Whether a pod is replaced as soon as it stops, or only once it has failed. */
  podReplacementPolicy?: PodReplacementPolicy;
  /** The controller that looks after the job. */
  managedBy?: string;
}

export type CompletionMode = "NonIndexed" | "Indexed";

export type PodReplacementPolicy = "TerminatingOrFailed" | "Failed";

/** How far a job is. */
export interface JobStatus {
  /** Whether it is done, failed or suspended. */
  conditions?: ListAtomic<JobCondition> & PatchMerge<"type">;
  /** When it was started. */
  startTime?: Time;
  /** When it was done. */
  completionTime?: Time;
  /** Pods that are running. */
  active?: Int32 & OmitZero;
  /** Pods that finished. */
  succeeded?: Int32 & OmitZero;
  /** Pods that failed. */
  failed?: Int32 & OmitZero;
  /** Pods that are on their way out. */
  terminating?: Int32;
  /** Indexes that are done, such as `1,3-5`. */
  completedIndexes?: string & OmitZero;
  /** Indexes that failed, such as `1,3-5`. */
  failedIndexes?: string;
  /** Pods that have ended and are not counted yet. */
  uncountedTerminatedPods?: UncountedTerminatedPods;
  /** Pods that are ready. */
  ready?: Int32;
}

/** One finding about an object. */
export interface JobCondition {
  /** What the finding is about. */
  type: JobConditionType;
  /** Whether it holds: `True`, `False` or `Unknown`. */
  status: ConditionStatus;
  /** When it was last looked at. */
  lastProbeTime?: Time & Always;
  /** When the status last changed. */
  lastTransitionTime?: Time & Always;
  /** A word for the cause. */
  reason?: string & OmitZero;
  /** The cause, for people. */
  message?: string & OmitZero;
}

export type JobConditionType = Open<"Suspended" | "Complete" | "Failed" | "FailureTarget" | "SuccessCriteriaMet">;

/** Pods that have ended and are not counted yet. */
export interface UncountedTerminatedPods {
  /** Uids of those that finished. */
  succeeded?: ListSet<string>;
  /** Uids of those that failed. */
  failed?: ListSet<string>;
}

export const job = kind<Job>({
  plural: "jobs",
  categories: ["all"],
  introduced: "1.2",
  subresources: { status: true },
  selectableFields: ["status.successful"],
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "Status", type: "string", description: "State in one word." },
    { name: "Completions", type: "string", description: "How many are done, of how many." },
    { name: "Duration", type: "string", description: "How long it ran." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
    { name: "Containers", type: "string", priority: 1, description: "Names of the containers." },
    { name: "Images", type: "string", priority: 1, description: "Images of the containers." },
    { name: "Selector", type: "string", priority: 1, description: "Labels of the pods." },
  ],
});
