import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { type DefaultContext, type HookContext, kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { equalMeaning } from "../../../runtime/values/equal-meaning.ts";
import { collectErrors } from "../../../runtime/values/field-errors.ts";
import { humanDuration } from "../../../runtime/values/human-duration.ts";
import { containerCells, selectorText } from "../../../runtime/values/table-text.ts";
import { warnOfPodNames } from "../../apps/v1/workload-validation.ts";
import { dropDisabledPodFields } from "../../core/v1/disabled-pod-fields.ts";
import { defaultPodTemplate } from "../../core/v1/pod-defaults.ts";
import { warnOfPodTemplate } from "../../core/v1/pod-warnings.ts";
import type { Job, JobSpec } from "./job.ts";
import { generateSelector, jobLabels, noteSharedLabels } from "./job-selector.ts";
import { validateJobStatus } from "./job-status-validation.ts";
import {
  jobSpecOrder,
  validateGeneratedSelector,
  validateIndexedName,
  validateJobChange,
  validateSelectingJobSpec,
} from "./job-validation.ts";

const NO_SPEC = {} as JobSpec;

export const hooks = kindHooks<Job>({
  default: defaultJob,
  validate: ({ spec = NO_SPEC }, context) =>
    collectErrors((errors) => validateSelectingJobSpec(spec, "spec", context, errors, context.old?.spec)),
  warn: ({ metadata, spec = NO_SPEC }, { old, featureEnabled }) => [
    ...(old === undefined ? warnOfPodNames(metadata?.name) : []),
    ...(old === undefined || metadata?.generation !== old.metadata?.generation ? warnOfJobSpec(spec, "spec") : []),
    ...(old === undefined || metadata?.generation !== old.metadata?.generation
      ? warnOfPodTemplate(spec?.template, "spec.template", featureEnabled)
      : []),
  ],
  cells: (job, { now }) => ({
    Status: statusText(job),
    Completions: completionsText(job),
    Duration: durationText(job, now),
    ...containerCells(job.spec?.template?.spec?.containers),
    Selector: selectorText(job.spec?.selector),
  }),
  validation: {
    subresources: {
      status: (job, old, context) => collectErrors((errors) => validateJobStatus(job, old, context, "status", errors)),
    },
  },
  lifecycle: {
    deletionWarnings: ({ propagationPolicy, orphanDependents }) =>
      propagationPolicy === undefined && orphanDependents === undefined
        ? [
            "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning",
          ]
        : [],
    prepareForCreate: (job, context) => {
      dropDisabledPodFields(job.spec?.template?.spec, undefined, context);
      dropReplacementPolicy(job, undefined, context);
      if (!context.featureEnabled("JobManagedBy")) delete job.spec?.managedBy;
      generateSelector(job);
    },
    prepareForUpdate: (job, old, context) => {
      dropDisabledPodFields(job.spec?.template?.spec, old.spec?.template?.spec, context);
      dropReplacementPolicy(job, old, context);
      // Writes of the status may lack the labels of the template.
      labelAsTemplate(job);
    },
    dependents: "orphan",
  },
  table: {
    selectable: { "status.successful": ({ status }) => String(status?.succeeded ?? 0) },
  },
  compatibility: {
    // Kubernetes validates the whole Job and then the update, each with the spec: clients see causes twice.
    order: {
      create: () => ["declared", (job) => generatedSelectorErrors(job), "validate", indexedNameErrors],
      update: [
        "metadataAsNew",
        "declared",
        generatedSelectorErrors,
        "validate",
        indexedNameErrors,
        "metadataAsChange",
        "declared",
        "validate",
        changeErrors,
      ],
      fields: jobSpecOrder("spec"),
    },
    unknownField: (field) => `field label ${JSON.stringify(field)} not supported for Job`,
    // A new Job whose template had no labels is stored without those it copies from the template.
    completedOnReading: ({ metadata = {}, spec }) =>
      equalMeaning(metadata.labels, jobLabels(metadata)) &&
      equalMeaning(metadata.labels, spec?.template?.metadata?.labels),
    completeNew: (job) => void labelAsTemplate(job),
  },
});

/** Not applied to templates of CronJobs: they keep the field even if the feature gate is off. */
function dropReplacementPolicy(job: Job, old: Job | undefined, { featureEnabled }: HookContext): void {
  if (featureEnabled("JobPodReplacementPolicy") || old?.spec?.podReplacementPolicy !== undefined) return;
  delete job.spec?.podReplacementPolicy;
}

function generatedSelectorErrors(job: Job, old?: Job): FieldError[] {
  const labels = old?.spec?.template?.metadata?.labels ?? {};
  const hadPrefixed = "batch.kubernetes.io/job-name" in labels && "batch.kubernetes.io/controller-uid" in labels;
  return collectErrors((errors) => validateGeneratedSelector(job, old === undefined || hadPrefixed, errors));
}

function indexedNameErrors(job: Job): FieldError[] {
  return collectErrors((errors) => validateIndexedName(job, errors));
}

function changeErrors({ spec = NO_SPEC }: Job, old: Job): FieldError[] {
  const mayReschedule = old.spec?.suspend === true && old.status?.startTime === undefined;
  return collectErrors((errors) => validateJobChange(spec, old.spec ?? NO_SPEC, mayReschedule, "spec", errors));
}

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

/** Warns of Jobs whose `completedIndexes` may become too long to track. */
export function warnOfJobSpec({ completionMode, completions = 0, parallelism = 0 }: JobSpec, path: string): string[] {
  if (completionMode !== "Indexed" || completions <= 100_000 || parallelism <= 10_000) return [];
  return [
    `${path}: In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail`,
  ];
}

const MAX_INT32 = 2_147_483_647;

/** Defaults of the spec; those of the labels of a Job are in `defaultJob`. */
export function defaultJobSpec(spec: NonNullable<Job["spec"]>, context: DefaultContext): void {
  defaultPodTemplate(spec.template, context);
  if (spec.completions === undefined && spec.parallelism === undefined) spec.completions = 1;
  spec.parallelism ??= 1;
  spec.backoffLimit ??= spec.backoffLimitPerIndex === undefined ? 6 : MAX_INT32;
  spec.completionMode ??= "NonIndexed";
  spec.suspend ??= false;
  spec.manualSelector ??= false;
  if (context.featureEnabled("JobPodReplacementPolicy"))
    spec.podReplacementPolicy ??= spec.podFailurePolicy === undefined ? "TerminatingOrFailed" : "Failed";
  for (const rule of spec.podFailurePolicy?.rules ?? []) {
    for (const pattern of rule.onPodConditions ?? []) pattern.status ||= "True";
  }
}

function defaultJob(job: Job, context: DefaultContext): void {
  if (job.spec === undefined) return;
  defaultJobSpec(job.spec, context);
  if (labelAsTemplate(job)) noteSharedLabels(job);
}

/** Gives a Job without labels those of its template. Returns whether it did. */
function labelAsTemplate(job: Job): boolean {
  const labels = job.spec?.template?.metadata?.labels;
  const metadata = (job.metadata ??= {});
  if (labels === undefined || Object.keys(metadata.labels ?? {}).length > 0) return false;
  metadata.labels = { ...labels };
  return true;
}
