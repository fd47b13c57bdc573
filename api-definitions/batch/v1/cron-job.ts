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

export interface CronJob extends Namespaced {
  spec?: CronJobSpec & Always;
  status?: CronJobStatus & Always;
}

export interface CronJobSpec {
  schedule: string;
  timeZone?: string;
  startingDeadlineSeconds?: Int64 & Minimum<0>;
  concurrencyPolicy?: ConcurrencyPolicy & OmitZero & Default<"Allow">;
  suspend?: boolean & Default<false>;
  jobTemplate: JobTemplateSpec;
  successfulJobsHistoryLimit?: Int32 & Default<3> & Minimum<0>;
  failedJobsHistoryLimit?: Int32 & Default<1> & Minimum<0>;
}

export type ConcurrencyPolicy = "Allow" | "Forbid" | "Replace";

export interface JobTemplateSpec {
  metadata?: ObjectMeta & Always;
  spec?: JobSpec & Always;
}

export interface CronJobStatus {
  active?: ListAtomic<ObjectReference>;
  lastScheduleTime?: Time;
  lastSuccessfulTime?: Time;
}

export const cronJob = kind<CronJob>({
  plural: "cronjobs",
  shortNames: ["cj"],
  categories: ["all"],
  introduced: "1.21",
  subresources: { status: true },
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name" },
    { name: "Schedule", type: "string", path: ".spec.schedule" },
    { name: "Timezone", type: "string" },
    { name: "Suspend", type: "boolean" },
    { name: "Active", type: "integer" },
    { name: "Last Schedule", type: "string" },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp" },
    { name: "Containers", type: "string", priority: 1 },
    { name: "Images", type: "string", priority: 1 },
    { name: "Selector", type: "string", priority: 1 },
  ],
});
