// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.
import { resourceToken } from "../../runtime/contract/resource-token.ts";
import { cronJob as defineCronJob, type CronJob } from "../../api-definitions/batch/v2alpha1/cron-job.ts";

/** Creates Jobs on a schedule, such as for backups and reports. Each run is a Job of its own, named after the CronJob and the scheduled time; its name may therefore be at most 52 characters long. A run may be skipped or, rarely, be started twice, so Jobs should be idempotent. */
export const cronjobs = resourceToken<CronJob>({
  group: "batch",
  version: "v2alpha1",
  kind: "CronJob",
  resource: "cronjobs",
  namespaced: true,
}, defineCronJob);
