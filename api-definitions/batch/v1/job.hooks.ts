import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import { humanDuration } from "../../../runtime/lib/human-duration.ts";
import { containerCells, selectorText } from "../../../runtime/lib/table-text.ts";
import { defaultPodSpec } from "../../core/v1/pod-defaults.ts";
import type { Job } from "./job.ts";

export const hooks = hooksFor<Job>({
  defaults: defaultJob,
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

const MAX_INT32 = 2_147_483_647;

/** Also used for the template of a CronJob, which has no labels of its own to fill. */
export function defaultJobSpec(spec: NonNullable<Job["spec"]>): void {
  defaultPodSpec(spec.template?.spec);
  if (spec.completions === undefined && spec.parallelism === undefined) spec.completions = 1;
  spec.parallelism ??= 1;
  spec.backoffLimit ??= spec.backoffLimitPerIndex === undefined ? 6 : MAX_INT32;
  spec.completionMode ??= "NonIndexed";
  spec.suspend ??= false;
  spec.manualSelector ??= false;
  spec.podReplacementPolicy ??= spec.podFailurePolicy === undefined ? "TerminatingOrFailed" : "Failed";
  for (const rule of spec.podFailurePolicy?.rules ?? []) {
    for (const pattern of rule.onPodConditions ?? []) pattern.status ||= "True";
  }
}

function defaultJob(job: Job): void {
  if (job.spec === undefined) return;
  defaultJobSpec(job.spec);
  const labels = job.spec.template?.metadata?.labels;
  const metadata = (job.metadata ??= {});
  if (labels !== undefined && Object.keys(metadata.labels ?? {}).length === 0) metadata.labels = { ...labels };
}
