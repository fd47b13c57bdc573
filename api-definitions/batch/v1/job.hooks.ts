import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import { humanDuration } from "../../../runtime/lib/human-duration.ts";
import { containerCells, selectorText } from "../../../runtime/lib/table-text.ts";
import type { Job } from "./job.ts";

export const hooks = hooksFor<Job>({
  cells: (job, { now }) => ({
    Status: statusText(job),
    Completions: completionsText(job),
    Duration: durationText(job, now),
    ...containerCells(job.spec?.template?.spec?.containers),
    Selector: selectorText(job.spec?.selector),
  }),
});

function statusText(job: Job): string {
  const has = (type: string) => job.status?.conditions?.find((condition) => condition.type === type)?.status === "True";
  if (has("Complete")) return "Complete";
  if (has("Failed")) return "Failed";
  if (job.metadata?.deletionTimestamp) return "Terminating";
  if (has("Suspended")) return "Suspended";
  return has("FailureTarget") ? "FailureTarget" : "Running";
}

function completionsText({ spec, status }: Job): string {
  const succeeded = status?.succeeded ?? 0;
  if (spec?.completions !== undefined) return `${succeeded}/${spec.completions}`;
  const parallelism = spec?.parallelism ?? 0;
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function durationText({ status }: Job, now: () => Date): string {
  if (!status?.startTime) return "";
  const end = status.completionTime ? Date.parse(status.completionTime) : now().getTime();
  return humanDuration(end - Date.parse(status.startTime));
}
