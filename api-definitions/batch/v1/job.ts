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
  type Since,
  type Time,
} from "../../vocabulary.ts";
import type { PodFailurePolicy, SuccessPolicy } from "./pod-failure-policy.ts";

/**
 * Runs pods until a given number of them has succeeded, then stops. Use it for tasks that end, such as migrations,
 * reports and batch computations; failed pods are retried. Finished Jobs and their pods remain until they are deleted,
 * or until `ttlSecondsAfterFinished` has passed. Deleting a Job through the API leaves its pods behind unless
 * `propagationPolicy` is given; kubectl gives it.
 */
export interface Job extends Namespaced {
  /** Desired state of the Job. */
  spec?: JobSpec & Always;
  /** Observed state of the Job, set by the Job controller: pod counts, times, finished indexes and conditions. */
  status?: JobStatus & Always;
}

/**
 * Which pods a Job runs, how many in parallel, and when it counts as succeeded or failed. Most fields cannot be changed
 * after creation; `parallelism`, `suspend`, `activeDeadlineSeconds`, `backoffLimit`, `maxFailedIndexes`,
 * `ttlSecondsAfterFinished` and `podReplacementPolicy` can.
 */
export interface JobSpec {
  /**
   * Maximum number of pods that run at the same time. Fewer run when less work is left. 0 pauses the Job. At most
   * 100000 if `completionMode` is `Indexed`; at most 10000 if, in addition, `completions` is above 100000 and
   * `backoffLimitPerIndex` is set. Defaults to 1. May be changed.
   */
  parallelism?: Int32 & Minimum<0>;
  /**
   * Number of pods that must succeed for the Job to complete. If unset while `parallelism` is set, the pods share a
   * work queue: once one of them has succeeded no more are started, and the Job is complete when all have ended.
   * Required if `completionMode` is `Indexed`. Defaults to 1 if `parallelism` is unset, too. Cannot be changed after
   * creation, except in an `Indexed` Job together with `parallelism` to the same value.
   */
  completions?: Int32 & Minimum<0>;
  /**
   * Seconds that the Job may be active, counted from `status.startTime`, whatever its pods do. After that its pods are
   * deleted and the Job fails with the reason `DeadlineExceeded`. Takes precedence over `backoffLimit`. Resuming a
   * suspended Job starts the count again. If unset, there is no deadline. May be changed.
   */
  activeDeadlineSeconds?: Int64 & Minimum<0>;
  /**
   * Rules that decide by exit code or pod condition how a failed pod is handled: fail the Job or the index at once,
   * ignore the failure, or count it. Requires `restartPolicy: Never` in `template`. If unset, each failed pod counts
   * towards `backoffLimit`. Cannot be changed after creation.
   */
  podFailurePolicy?: PodFailurePolicy & Since<"1.25">;
  /**
   * Rules by which the Job succeeds before all indexes have succeeded; the remaining pods are then terminated. Requires
   * the completion mode `Indexed`. If unset, `completions` pods must succeed. Cannot be changed after creation.
   */
  successPolicy?: SuccessPolicy & Since<"1.30">;
  /**
   * Number of retries before the Job is marked as failed: failed pods, plus container restarts if `restartPolicy` is
   * `OnFailure`. Retries are delayed exponentially: 10 s, 20 s, 40 s and so on, up to 10 minutes. Defaults to 6, or to
   * 2147483647 (no limit) if `backoffLimitPerIndex` is set. May be changed.
   */
  backoffLimit?: Int32 & Minimum<0>;
  /**
   * Number of retries for each index before that index is marked as failed; other indexes go on. The Job fails when all
   * indexes have ended and one of them failed, or when `maxFailedIndexes` is exceeded. Requires the completion mode
   * `Indexed` and is meant for `restartPolicy: Never`. Cannot be changed after creation.
   */
  backoffLimitPerIndex?: Int32 & Minimum<0> & Since<"1.28">;
  /**
   * Number of failed indexes after which the whole Job is marked as failed and its remaining pods are terminated. If
   * unset, all indexes run to their end. Requires `backoffLimitPerIndex`. Must not exceed `completions` or 100000;
   * required and at most 10000 if `completions` is above 100000. May be changed.
   */
  maxFailedIndexes?: Int32 & Minimum<0> & Since<"1.28">;
  /**
   * Label selector of the pods of this Job. Normally leave it unset: the server selects by a label with the UID of the
   * Job. Set it only together with `manualSelector: true`; it must then match the labels of `template`. Cannot be
   * changed after creation, and is not allowed in the template of a CronJob.
   */
  selector?: LabelSelector;
  /**
   * Whether `selector` and the labels of `template` are used as given. If `false`, the server generates a unique
   * selector and labels. With `true` you must make sure that no pods of others match the selector, because the Job
   * would count or delete them. Defaults to `false`. Not allowed to be `true` in the template of a CronJob.
   */
  manualSelector?: boolean;
  /**
   * Template of the pods. `spec.restartPolicy` must be `Never` or `OnFailure`, and `Never` with `podFailurePolicy`.
   * Cannot be changed after creation, except for labels, annotations, node selector, node affinity, tolerations and
   * scheduling gates while the Job is suspended and has never been started.
   */
  template: PodTemplateSpec;
  /**
   * Seconds after which the Job and its pods are deleted once it is complete or failed. 0 deletes them at once. If
   * unset, they are not deleted automatically. May be changed, but a Job whose time is up may be deleted even if it is
   * extended.
   */
  ttlSecondsAfterFinished?: Int32 & Minimum<0> & Since<"1.12">;
  /** How completions are counted. Defaults to `NonIndexed`. Cannot be changed after creation. */
  completionMode?: CompletionMode & Since<"1.21">;
  /**
   * Whether the Job is suspended. A suspended Job runs no pods: its active pods are deleted when it becomes `true`.
   * Setting it to `false` starts or resumes the Job and sets `status.startTime` to the current time. Create a Job
   * suspended to let a queue decide when it starts. Defaults to `false`. May be changed.
   */
  suspend?: boolean & Since<"1.21">;
  /**
   * When a pod that is being deleted is replaced. Defaults to `TerminatingOrFailed`, or to `Failed` if
   * `podFailurePolicy` is set, which then is the only allowed value. May be changed.
   */
  podReplacementPolicy?: PodReplacementPolicy & Since<"1.28">;
  /**
   * Controller that manages this Job, as a domain-prefixed path such as `acme.io/queue`, at most 63 characters long. If
   * unset or `kubernetes.io/job-controller`, the built-in Job controller runs it; with any other value it ignores the
   * Job, and the named controller must run the pods and set the status. Cannot be changed after creation.
   */
  managedBy?: string & Since<"1.30">;
}

export type CompletionMode =
  /** The Job is complete when `completions` pods have succeeded. All pods are equal. */
  | "NonIndexed"
  /**
   * Each pod has an index from 0 to `completions` - 1, and one pod must succeed for each index. A pod finds its index
   * in the environment variable `JOB_COMPLETION_INDEX`, in a label and an annotation, and in its host name,
   * `<job>-<index>`.
   */
  | "Indexed";

export type PodReplacementPolicy =
  /**
   * A replacement is created as soon as a pod is being deleted or has failed. Two pods for the same work may run for a
   * short time.
   */
  | "TerminatingOrFailed"
  /** A replacement is created only after the old pod has ended. */
  | "Failed";

/** Observed state of a Job: pod counts, times, finished indexes and conditions. */
export interface JobStatus {
  /**
   * Observed conditions of the Job, set by its controller. The Job has finished when `Complete` or `Failed` is `True`;
   * both never go back, and exclude each other.
   */
  conditions?: ListAtomic<JobCondition> & PatchMerge<"type">;
  /**
   * Time at which the controller first processed the Job, or at which it was last resumed. Unset if it was created
   * suspended and has not been started.
   */
  startTime?: Time;
  /**
   * Time at which the Job was completed. Only set for Jobs that succeeded; failed Jobs have the time in the condition
   * `Failed`. Never changes once it is set.
   */
  completionTime?: Time;
  /** Observed number of pods that are pending or running and are not being deleted. 0 for finished Jobs. */
  active?: Int32 & OmitZero;
  /** Observed number of pods that succeeded. Decreases only if an `Indexed` Job is scaled down. */
  succeeded?: Int32 & OmitZero;
  /** Observed number of pods that failed. It never decreases. */
  failed?: Int32 & OmitZero;
  /** Observed number of pods that are being deleted and have not ended yet. 0 for finished Jobs. */
  terminating?: Int32 & Since<"1.28">;
  /**
   * Indexes of an `Indexed` Job that have succeeded, in ascending order, with ranges for three or more in a row, such
   * as `1,3-5,7`. Empty for other Jobs.
   */
  completedIndexes?: string & OmitZero & Since<"1.21">;
  /**
   * Indexes that have failed, in the format of `completedIndexes`. Only set if `backoffLimitPerIndex` is set. An index
   * is never in both lists.
   */
  failedIndexes?: string & Since<"1.28">;
  /**
   * Pods that have ended and are not part of `succeeded` or `failed` yet. The controller lists them here before it
   * removes their finalizer, so that each pod is counted exactly once. Empty for finished Jobs.
   */
  uncountedTerminatedPods?: UncountedTerminatedPods & Since<"1.22">;
  /** Observed number of active pods whose condition `Ready` is `True`. Never more than `active`. */
  ready?: Int32 & Since<"1.23">;
}

/** One aspect of the observed state of a Job, such as whether it is complete. */
export interface JobCondition {
  /** Type of the condition, such as `Complete`. */
  type: JobConditionType;
  /** Status of the condition: `True`, `False` or `Unknown`. */
  status: ConditionStatus;
  /** Time at which the condition was last checked. The Job controller sets it when it adds the condition. */
  lastProbeTime?: Time & Always;
  /** Time at which `status` last changed. */
  lastTransitionTime?: Time & Always;
  /** Machine-readable reason of the last transition, in CamelCase. */
  reason?: string & OmitZero;
  /** Human-readable details of the last transition. */
  message?: string & OmitZero;
}

export type JobConditionType = Open<
  /** The Job is suspended by `suspend`. */
  | "Suspended"
  /** The Job has succeeded, and all of its pods have ended. */
  | "Complete"
  /** The Job has failed, and all of its pods have ended. */
  | "Failed"
  /** The Job is about to fail: its pods are being terminated. `Failed` follows. */
  | "FailureTarget"
  /** The Job is about to succeed: its remaining pods are being terminated. `Complete` follows. */
  | "SuccessCriteriaMet"
>;

/** UIDs of pods that have ended and that the Job controller has not added to the counters of the status yet. */
export interface UncountedTerminatedPods {
  /** UIDs of pods that succeeded and are not part of `status.succeeded` yet. No UID may be empty or also be in `failed`. */
  succeeded?: ListSet<string>;
  /** UIDs of pods that failed and are not part of `status.failed` yet. No UID may be empty or also be in `succeeded`. */
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
    {
      name: "Status",
      type: "string",
      description: "State of the Job: `Running`, `Complete`, `Failed`, `FailureTarget`, `Suspended` or `Terminating`.",
    },
    { name: "Completions", type: "string", description: "Number of succeeded pods, of the number that must succeed." },
    {
      name: "Duration",
      type: "string",
      description: "Time from the start of the Job to its completion, or until now.",
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
