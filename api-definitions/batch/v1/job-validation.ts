import { CompletionMode, PodReplacementPolicy } from "../../../generated/values/batch.v1.ts";
import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { goLabelSelector, goTextMap, shown } from "../../../runtime/go/literal.ts";
import { asGiven } from "../../../runtime/go/source-notes.ts";
import { equalMeaning } from "../../../runtime/values/equal-meaning.ts";
import { invalidField, requiredField, tooLongField, unsupportedField } from "../../../runtime/values/field-errors.ts";
import { checkDnsLabel } from "../../../runtime/values/names.ts";
import { selectorPredicate, validateSelectorMatchesTemplate } from "../../apps/v1/workload-validation.ts";
import { validatePodTemplateSpec } from "../../core/v1/validation/pod-spec.ts";
import type { PodRules } from "../../core/v1/validation/security.ts";
import { shownAs } from "../../go-types.ts";
import { validateImmutable } from "../../meta/v1/change-validation.ts";
import { validateDomainPrefixedPath } from "../../meta/v1/domain-path-validation.ts";
import { isUnsoundSelector, validateLabelSelector } from "../../meta/v1/label-selector-validation.ts";
import type { Job, JobSpec } from "./job.ts";
import { validatePodFailurePolicy, validateSuccessPolicy } from "./job-policies-validation.ts";
import { jobLabels } from "./job-selector.ts";

const MAX_INDEXED = 100_000;
const MANY_COMPLETIONS = 100_000;
const MAX_FOR_MANY_COMPLETIONS = 10_000;
const MAX_MANAGED_BY = 63;
const FOR_MANY = `must be less than or equal to ${MAX_FOR_MANY_COMPLETIONS} when completions are above ${MANY_COMPLETIONS} and used with backoff limit per index`;

/** Fields with a minimum, in the order in which Kubernetes reports their errors. */
const AMOUNTS = [
  "parallelism",
  "completions",
  "activeDeadlineSeconds",
  "backoffLimit",
  "ttlSecondsAfterFinished",
  "backoffLimitPerIndex",
  "maxFailedIndexes",
] as const;
/** Immutable fields, with the Go type of those that messages show in Go's notation. */
const IMMUTABLE = [
  ["completionMode", undefined],
  ["podFailurePolicy", "batch.PodFailurePolicy"],
  ["backoffLimitPerIndex", undefined],
  ["managedBy", undefined],
  ["successPolicy", "batch.SuccessPolicy"],
] as const;
const NO_SPEC = {} as JobSpec;

/** The fields of a JobSpec in the order in which Kubernetes reports their errors. */
export const jobSpecOrder = (path: string): (string | string[])[] => [
  AMOUNTS.map((field) => `${path}.${field}`),
  `${path}.managedBy`,
  `${path}.completionMode`,
  `${path}.podFailurePolicy`,
  `${path}.successPolicy`,
  `${path}.podReplacementPolicy`,
  `${path}.template`,
  `${path}.selector`,
  `${path}.manualSelector`,
];

/** Validates that the names of the pods of an indexed Job are valid host names. */
export function validateIndexedName(job: Job, errors: FieldError[]): void {
  const { completionMode, completions = 0 } = job.spec ?? NO_SPEC;
  if (completionMode === "Indexed" && completions > 0) {
    const name = job.metadata?.name ?? "";
    const hostname = `${name}-${completions - 1}`;
    if (checkDnsLabel(hostname).length > 0) {
      const detail = `will not able to create pod with invalid DNS label: ${hostname}`;
      errors.push(invalidField("metadata.name", name, detail));
    }
  }
}

export function validateSelectingJobSpec(
  spec: JobSpec,
  path: string,
  rules: PodRules,
  errors: FieldError[],
  old?: JobSpec,
): void {
  validateJobSpec(spec, path, rules, errors, old);
  if (spec.selector === undefined) errors.push(requiredField(`${path}.selector`));
  else validateLabelSelector(spec.selector, `${path}.selector`, errors, isUnsoundSelector(old?.selector));
  validateSelectorMatchesTemplate(spec.selector, spec.template, `${path}.template`, errors);
}

/** Rules for the spec of a Job that also hold in the template of a CronJob. */
export function validateJobSpec(
  spec: JobSpec,
  path: string,
  rules: PodRules,
  errors: FieldError[],
  old?: JobSpec,
): void {
  if (spec.maxFailedIndexes !== undefined && spec.backoffLimitPerIndex === undefined) {
    errors.push(requiredField(`${path}.backoffLimitPerIndex`, "when maxFailedIndexes is specified"));
  }
  if (spec.managedBy !== undefined) {
    validateDomainPrefixedPath(spec.managedBy, `${path}.managedBy`, errors);
    if (spec.managedBy.length > MAX_MANAGED_BY) errors.push(tooLongField(`${path}.managedBy`, MAX_MANAGED_BY));
  }
  validateCompletionMode(spec, path, errors);
  if (spec.podFailurePolicy !== undefined) validatePodFailurePolicy(spec, `${path}.podFailurePolicy`, errors);
  if (spec.successPolicy !== undefined) {
    if (spec.completionMode === "Indexed") validateSuccessPolicy(spec, `${path}.successPolicy`, errors);
    else {
      const value = shownAs("batch.SuccessPolicy", { rules: asGiven(spec.successPolicy, "rules") });
      errors.push(invalidField(`${path}.successPolicy`, value, "requires indexed completion mode"));
    }
  }
  validatePodReplacement(spec, `${path}.podReplacementPolicy`, errors);
  validatePodTemplateSpec(spec.template, `${path}.template`, rules, errors, old?.template);
  validateRestartPolicy(spec, `${path}.template.spec.restartPolicy`, errors);
}

/** Validates which fields an update changes. `mayReschedule`: the Job has never started, so scheduling directives of the template may change. */
export function validateJobChange(
  spec: JobSpec,
  old: JobSpec,
  mayReschedule: boolean,
  path: string,
  errors: FieldError[],
): void {
  validateCompletionsChange(spec, old, `${path}.completions`, errors);
  validateImmutable(spec.selector, old.selector, `${path}.selector`, errors, (value) => shown(goLabelSelector(value)));
  const oldTemplate = mayReschedule ? withDirectivesOf(spec.template, old.template) : old.template;
  validateImmutable(spec.template, oldTemplate, `${path}.template`, errors, (template) =>
    shownAs("core.PodTemplateSpec", template),
  );
  for (const [name, type] of IMMUTABLE) {
    const show = (value: unknown) => (type === undefined ? value : shownAs(type, value));
    validateImmutable<unknown>(spec[name], old[name], `${path}.${name}`, errors, show);
  }
}

/** Validates that labels and selector are those that the server generated. Jobs of old releases may lack the labels with a prefix. */
export function validateGeneratedSelector(job: Job, needsPrefixedLabels: boolean, errors: FieldError[]): void {
  const { metadata, spec } = job;
  if (spec?.manualSelector === true || spec?.selector === undefined) return;
  if (!metadata?.uid) errors.push(requiredField("metadata.uid"));
  const expected = Object.entries(jobLabels(metadata ?? {})).filter(
    ([key]) => needsPrefixedLabels || !key.includes("/"),
  );
  const labels = spec.template?.metadata?.labels;
  for (const [key, value] of expected) {
    const field = `spec.template.metadata.labels[${key}]`;
    if (labels?.[key] === undefined) errors.push(requiredField(field, `must be '${value}'`));
    else if (labels[key] !== value) errors.push(invalidField(field, shown(goTextMap(labels)), `must be '${value}'`));
  }
  if (selectorPredicate(spec.selector)?.(Object.fromEntries(expected)) === false) {
    const value = shown(goLabelSelector(spec.selector));
    errors.push(invalidField("spec.selector", value, "`selector` not auto-generated"));
  }
}

function validateCompletionMode(spec: JobSpec, path: string, errors: FieldError[]): void {
  const { completionMode, completions, maxFailedIndexes, backoffLimitPerIndex } = spec;
  const modes = CompletionMode;
  if (completionMode !== undefined && !modes.includes(completionMode)) {
    errors.push(unsupportedField(`${path}.completionMode`, completionMode, modes));
  }
  if (completionMode === "Indexed") {
    if (completions === undefined) {
      errors.push(requiredField(`${path}.completions`, "when completion mode is Indexed"));
    }
    validateIndexedCounts(spec, path, errors);
  }
  if (completionMode === undefined || completionMode === "NonIndexed") {
    const detail = "requires indexed completion mode";
    if (backoffLimitPerIndex !== undefined) {
      errors.push(invalidField(`${path}.backoffLimitPerIndex`, backoffLimitPerIndex, detail));
    }
    if (maxFailedIndexes !== undefined) {
      errors.push(invalidField(`${path}.maxFailedIndexes`, maxFailedIndexes, detail));
    }
  }
}

function validateIndexedCounts(spec: JobSpec, path: string, errors: FieldError[]): void {
  const { completions, parallelism = 0, maxFailedIndexes, backoffLimitPerIndex } = spec;
  const refuse = (name: string, value: number, detail: string) =>
    errors.push(invalidField(`${path}.${name}`, value, detail));
  if (parallelism > MAX_INDEXED) {
    const detail = `must be less than or equal to ${MAX_INDEXED} when completion mode is Indexed`;
    refuse("parallelism", parallelism, detail);
  }
  if (completions !== undefined && maxFailedIndexes !== undefined && maxFailedIndexes > completions) {
    refuse("maxFailedIndexes", maxFailedIndexes, "must be less than or equal to completions");
  }
  if (maxFailedIndexes !== undefined && maxFailedIndexes > MAX_INDEXED) {
    refuse("maxFailedIndexes", maxFailedIndexes, `must be less than or equal to ${MAX_INDEXED}`);
  }
  if ((completions ?? 0) <= MANY_COMPLETIONS || backoffLimitPerIndex === undefined) return;
  if (maxFailedIndexes === undefined) {
    const detail = `must be specified when completions is above ${MANY_COMPLETIONS}`;
    errors.push(requiredField(`${path}.maxFailedIndexes`, detail));
  }
  if (parallelism > MAX_FOR_MANY_COMPLETIONS) refuse("parallelism", parallelism, FOR_MANY);
  if (maxFailedIndexes !== undefined && maxFailedIndexes > MAX_FOR_MANY_COMPLETIONS) {
    refuse("maxFailedIndexes", maxFailedIndexes, FOR_MANY);
  }
}

function validatePodReplacement(spec: JobSpec, field: string, errors: FieldError[]): void {
  const policy = spec.podReplacementPolicy;
  const allowed = spec.podFailurePolicy === undefined ? [...PodReplacementPolicy].sort() : ["Failed"];
  if (policy !== undefined && !allowed.includes(policy)) errors.push(unsupportedField(field, policy, allowed));
}

/** Pods of a Job must not restart always. */
function validateRestartPolicy(spec: JobSpec, field: string, errors: FieldError[]): void {
  const policy = spec.template?.spec?.restartPolicy ?? "";
  const allowed = ["OnFailure", "Never"];
  if (policy === "Always" || policy === "") {
    errors.push(requiredField(field, 'valid values: "OnFailure", "Never"'));
  } else if (!allowed.includes(policy)) {
    errors.push(unsupportedField(field, policy, allowed));
  } else if (spec.podFailurePolicy !== undefined && policy !== "Never") {
    errors.push(invalidField(field, policy, 'only "Never" is supported when podFailurePolicy is specified'));
  }
}

/** `completions` of an indexed Job may change together with `parallelism`, to the same value; otherwise it is immutable. */
function validateCompletionsChange(spec: JobSpec, old: JobSpec, field: string, errors: FieldError[]): void {
  if (spec.completionMode !== "Indexed") {
    validateImmutable(spec.completions, old.completions, field, errors);
  } else if (
    spec.completions !== undefined &&
    spec.completions !== old.completions &&
    spec.completions !== spec.parallelism
  ) {
    errors.push(invalidField(field, spec.completions, "can only be modified in tandem with spec.parallelism"));
  }
}

/** The old template with the scheduling directives of the new one. */
function withDirectivesOf(template: JobSpec["template"], old: JobSpec["template"]): JobSpec["template"] {
  const { nodeSelector, tolerations, schedulingGates } = template.spec ?? {};
  const { nodeAffinity: _old, ...rest } = old.spec?.affinity ?? {};
  const affinity = {
    ...rest,
    ...(template.spec?.affinity?.nodeAffinity && { nodeAffinity: template.spec.affinity.nodeAffinity }),
  };
  const cleared = template.spec?.affinity === undefined && equalMeaning(affinity, {});
  const { labels, annotations } = template.metadata ?? {};
  return withoutUndefined({
    ...old,
    metadata: withoutUndefined({ ...old.metadata, labels, annotations }),
    spec:
      old.spec &&
      withoutUndefined({
        ...old.spec,
        nodeSelector,
        tolerations,
        schedulingGates,
        affinity: cleared ? undefined : affinity,
      }),
  }) as JobSpec["template"];
}

function withoutUndefined<T extends object>(object: T): T {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T;
}
