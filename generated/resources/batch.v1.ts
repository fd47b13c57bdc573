// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.
import { resourceToken } from "../../runtime/contract/resource-token.ts";
import type { CronJob } from "../../api-definitions/batch/v1/cron-job.ts";
import type { Job } from "../../api-definitions/batch/v1/job.ts";

/** Starts jobs at set times. */
export const cronjobs = resourceToken<CronJob>({
  group: "batch",
  version: "v1",
  kind: "CronJob",
  resource: "cronjobs",
  namespaced: true,
});

/** Runs pods until enough of them have finished their work. */
export const jobs = resourceToken<Job>({
  group: "batch",
  version: "v1",
  kind: "Job",
  resource: "jobs",
  namespaced: true,
});
