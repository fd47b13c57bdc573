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
  type Time,
} from "../../vocabulary.ts";
import type { JobSpec } from "./job.ts";

/** Starts jobs at set times. */
export interface CronJob extends Namespaced {
  /** What is asked for. */
  spec?: CronJobSpec & Always;
  /** What is the case, as last seen. */
  status?: CronJobStatus & Always;
}

/** When to start which job. */
export interface CronJobSpec {
  /** When, in cron notation. */
  schedule: string;
  /** Time zone of the schedule; the controller's unless said. */
  timeZone?: string;
  /** Seconds a job may start late before it is skipped. */
  startingDeadlineSeconds?: Int64 & Minimum<0>;
  /** What to do while the last job is still running. */
  concurrencyPolicy?: ConcurrencyPolicy & OmitZero & Default<"Allow">;
  /** Starts no more jobs for now. */
  suspend?: boolean & Default<false>;
  /** The job to start. */
  jobTemplate: JobTemplateSpec;
  /** How many finished jobs are kept. */
  successfulJobsHistoryLimit?: Int32 & Default<3> & Minimum<0>;
  /** How many failed jobs are kept. */
  failedJobsHistoryLimit?: Int32 & Default<1> & Minimum<0>;
}

export type ConcurrencyPolicy = "Allow" | "Forbid" | "Replace";

/** A job to be copied. */
export interface JobTemplateSpec {
  /** Labels and annotations of the copies. */
  metadata?: ObjectMeta & Always;
  /** What they do. */
  spec?: JobSpec & Always;
}

/** What was started when. */
export interface CronJobStatus {
  /** Jobs that are running. */
  active?: ListAtomic<ObjectReference>;
  /** When a job was last started. */
  lastScheduleTime?: Time;
  /** When a job last finished. */
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
    { name: "Schedule", type: "string", path: ".spec.schedule", description: "When it runs, in cron notation." },
    { name: "Timezone", type: "string", description: "Time zone of the schedule." },
    { name: "Suspend", type: "boolean", description: "Whether it is held back." },
    { name: "Active", type: "integer", description: "How many jobs are running." },
    { name: "Last Schedule", type: "string", description: "How long ago a job was last started." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
    { name: "Containers", type: "string", priority: 1, description: "Names of the containers." },
    { name: "Images", type: "string", priority: 1, description: "Images of the containers." },
    { name: "Selector", type: "string", priority: 1, description: "Labels of the pods." },
  ],
});
