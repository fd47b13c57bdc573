// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.
import { resourceToken } from "../../runtime/contract/resource-token.ts";
import { cronJob as defineCronJob, type CronJob } from "../../api-definitions/batch/v1/cron-job.ts";
import { job as defineJob, type Job } from "../../api-definitions/batch/v1/job.ts";

/** Creates Jobs on a schedule, such as for backups and reports. Each run is a Job of its own, named after the CronJob and the scheduled time; its name may therefore be at most 52 characters long. A run may be skipped or, rarely, be started twice, so Jobs should be idempotent. */
export const cronjobs = resourceToken<CronJob>({
  group: "batch",
  version: "v1",
  kind: "CronJob",
  resource: "cronjobs",
  namespaced: true,
}, defineCronJob);

/** Runs pods until a given number of them has succeeded, then stops. Use it for tasks that end, such as migrations, reports and batch computations; failed pods are retried. Finished Jobs and their pods remain until they are deleted, or until `ttlSecondsAfterFinished` has passed. Deleting a Job through the API leaves its pods behind unless `propagationPolicy` is given; kubectl gives it. */
export const jobs = resourceToken<Job>({
  group: "batch",
  version: "v1",
  kind: "Job",
  resource: "jobs",
  namespaced: true,
}, defineJob);
