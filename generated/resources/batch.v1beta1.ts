// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.
import { resourceToken } from "../../runtime/contract/resource-token.ts";
import type { CronJob } from "../../api-definitions/batch/v1beta1/cron-job.ts";

/** Starts jobs at set times. */
export const cronjobs = resourceToken<CronJob>({
  group: "batch",
  version: "v1beta1",
  kind: "CronJob",
  resource: "cronjobs",
  namespaced: true,
});
