import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import { since } from "../../../runtime/lib/human-duration.ts";
import { containerCells, selectorText } from "../../../runtime/lib/table-text.ts";
import { defaultPodSpec } from "../../core/v1/pod-defaults.ts";
import type { CronJob } from "./cron-job.ts";

export const hooks = hooksFor<CronJob>({
  defaults: ({ spec }) => defaultPodSpec(spec?.jobTemplate?.spec?.template?.spec),
  cells: ({ spec, status }, { now }) => {
    const job = spec?.jobTemplate?.spec;
    return {
      Timezone: spec?.timeZone ?? "<none>",
      Suspend: spec?.suspend === undefined ? "<unset>" : spec.suspend ? "True" : "False",
      Active: status?.active?.length ?? 0,
      "Last Schedule": status?.lastScheduleTime ? since(status.lastScheduleTime, now) : "<none>",
      ...containerCells(job?.template?.spec?.containers),
      Selector: selectorText(job?.selector),
    };
  },
});
