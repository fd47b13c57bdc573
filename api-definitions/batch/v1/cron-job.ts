import type { ObjectReference } from "../../core/v1/references.ts";
import type { ObjectMeta } from "../../meta/v1/object-meta.ts";
import type { Namespaced } from "../../meta/v1/type-meta.ts";
import {
  type Always,
  type Default,
  type Int32,
  type Int64,
  kind,
  type ListAtomic,
  type Minimum,
  type OmitZero,
  type Since,
  type Time,
} from "../../vocabulary.ts";
import type { JobSpec } from "./job.ts";

/**
 * Creates Jobs on a schedule, such as for backups and reports. Each run is a Job of its own, named after the CronJob
 * and the scheduled time; its name may therefore be at most 52 characters long. A run may be skipped or, rarely, be
 * started twice, so Jobs should be idempotent.
 */
export interface CronJob extends Namespaced {
  /** Desired state of the CronJob. */
  spec?: CronJobSpec & Always;
  /** Observed state of the CronJob, set by the CronJob controller: running Jobs and times of the last runs. */
  status?: CronJobStatus & Always;
}

/**
 * When a CronJob runs, which Jobs it creates, and how many finished ones it retains. All fields may be changed; changes
 * apply to Jobs that are created later.
 */
export interface CronJobSpec {
  /**
   * Schedule in cron format: five fields for minute, hour, day of month, month and day of week, such as `30 8-18 * *
   * mon-fri` for half past each hour of a working day; or one of `@hourly`, `@daily`, `@midnight`, `@weekly`,
   * `@monthly`, `@yearly`, `@annually` and `@every 90m`. Must not contain `TZ=` or `CRON_TZ=`; set `timeZone` instead.
   */
  schedule: string;
  /**
   * Name of the time zone that `schedule` is in, from the IANA database, such as `Europe/Berlin` or `Etc/UTC`. Must not
   * be empty or `Local`. If unset, the time zone of the kube-controller-manager process is used.
   */
  timeZone?: string & Since<"1.24">;
  /**
   * Seconds after the scheduled time in which a Job may still be started, if it was missed for whatever reason. A run
   * that misses the deadline is skipped. Values below 10 may skip runs, because the controller can be a few seconds
   * late. If unset, there is no deadline.
   */
  startingDeadlineSeconds?: Int64 & Minimum<0>;
  /**
   * What happens if a run is due while a Job of an earlier run has not finished. Only Jobs of the same CronJob matter.
   */
  concurrencyPolicy?: ConcurrencyPolicy & OmitZero & Default<"Allow">;
  /**
   * Whether new runs are suspended. Jobs that have been started continue. Runs that become due while suspended count as
   * missed, and the last of them starts on resumption unless `startingDeadlineSeconds` has passed.
   */
  suspend?: boolean & Default<false>;
  /** Template of the Jobs that are created. Changes apply to later runs only. */
  jobTemplate: JobTemplateSpec;
  /** Number of succeeded Jobs to retain; older ones are deleted. 0 retains none. */
  successfulJobsHistoryLimit?: Int32 & Default<3> & Minimum<0>;
  /** Number of failed Jobs to retain; older ones are deleted. 0 retains none. */
  failedJobsHistoryLimit?: Int32 & Default<1> & Minimum<0>;
}

export type ConcurrencyPolicy =
  /** Starts the new Job beside the old one. */
  | "Allow"
  /**
   * Skips the new run while the old Job is running. When that finishes, the skipped run may still start, within
   * `startingDeadlineSeconds`.
   */
  | "Forbid"
  /** Deletes the old Job and starts the new one. */
  | "Replace";

/** Template of the Jobs that a CronJob creates. */
export interface JobTemplateSpec {
  /** Labels and annotations of the created Jobs. Their names are generated. */
  metadata?: ObjectMeta & Always;
  /** Desired state of the created Jobs. `selector` must be unset, and `manualSelector` must not be `true`. */
  spec?: JobSpec & Always;
}

/** Observed state of a CronJob: running Jobs and times of the last runs. */
export interface CronJobStatus {
  /** References to the Jobs of this CronJob that have not finished. */
  active?: ListAtomic<ObjectReference>;
  /** Scheduled time of the last run for which a Job was created. */
  lastScheduleTime?: Time;
  /** Time at which a Job of this CronJob last completed successfully. */
  lastSuccessfulTime?: Time;
}

export const cronJob = kind<CronJob>({
  plural: "cronjobs",
  shortNames: ["cj"],
  categories: ["all"],
  introduced: "1.21",
  subresources: { status: true },
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "Schedule", type: "string", path: ".spec.schedule", description: "Schedule in cron format." },
    { name: "Timezone", type: "string", description: "Time zone of the schedule." },
    { name: "Suspend", type: "boolean", description: "Whether the CronJob is suspended." },
    { name: "Active", type: "integer", description: "Number of running Jobs." },
    { name: "Last Schedule", type: "string", description: "Time since a Job was last scheduled." },
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
