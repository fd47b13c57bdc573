import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { collectErrors } from "../../../runtime/values/field-errors.ts";
import { since } from "../../../runtime/values/human-duration.ts";
import { containerCells, selectorText } from "../../../runtime/values/table-text.ts";
import { warnOfPodNames } from "../../apps/v1/workload-validation.ts";
import { dropDisabledPodFields } from "../../core/v1/disabled-pod-fields.ts";
import { defaultPodTemplate } from "../../core/v1/pod-defaults.ts";
import { warnOfPodTemplate } from "../../core/v1/pod-warnings.ts";
import type { CronJob, CronJobSpec } from "./cron-job.ts";
import { validateCronJobName, validateCronJobSpec } from "./cron-job-validation.ts";
import { warnOfJobSpec } from "./job.hooks.ts";
import type { JobSpec } from "./job.ts";
import { jobSpecOrder } from "./job-validation.ts";

const NO_SPEC = {} as CronJobSpec;
const ZONE_IN_SCHEDULE =
  "cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details";

export const hooks = kindHooks<CronJob>({
  default: ({ spec }, context) => defaultPodTemplate(spec?.jobTemplate?.spec?.template, context),
  validate: ({ spec = NO_SPEC }, context) =>
    collectErrors((errors) => validateCronJobSpec(spec, undefined, "spec", context, errors)),
  warn: ({ metadata, spec }, { old, featureEnabled }) => {
    const jobSpec = spec?.jobTemplate?.spec ?? ({} as JobSpec);
    const isNew = old === undefined;
    const changed = isNew || metadata?.generation !== old.metadata?.generation;
    return [
      ...(isNew ? warnOfPodNames(metadata?.name) : []),
      ...(changed ? warnOfJobSpec(jobSpec, "spec.jobTemplate.spec") : []),
      ...(changed ? warnOfPodTemplate(jobSpec.template, "spec.jobTemplate.spec.template", featureEnabled) : []),
      ...(!isNew && spec?.schedule?.includes("TZ") ? [ZONE_IN_SCHEDULE] : []),
    ];
  },
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
  validation: {
    update: ({ spec = NO_SPEC }, old, context) =>
      collectErrors((errors) => validateCronJobSpec(spec, old.spec ?? NO_SPEC, "spec", context, errors)),
    subresources: { status: () => [] },
  },
  lifecycle: {
    prepareForCreate: (cronJob, context) => dropDisabledPodFields(podSpecOf(cronJob), undefined, context),
    prepareForUpdate: (cronJob, old, context) => dropDisabledPodFields(podSpecOf(cronJob), podSpecOf(old), context),
  },
  compatibility: {
    order: {
      create: () => [
        "declared",
        "validate",
        ({ metadata }) => collectErrors((errors) => validateCronJobName(metadata?.name ?? "", errors)),
      ],
      update: ["metadataAsChange", "declared", "update"],
      subresources: { "*": ["declared", "update"] },
      fields: [
        "spec.startingDeadlineSeconds",
        "spec.timeZone",
        "spec.concurrencyPolicy",
        ...jobSpecOrder("spec.jobTemplate.spec"),
        "spec.successfulJobsHistoryLimit",
        "spec.failedJobsHistoryLimit",
      ],
    },
  },
});

function podSpecOf({ spec }: CronJob) {
  return spec?.jobTemplate?.spec?.template?.spec;
}
