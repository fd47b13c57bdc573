import type { FieldError } from "../../../runtime/contract/field-error.ts";
import type { HookContext } from "../../../runtime/contract/kind-hooks.ts";
import { shown } from "../../../runtime/go/literal.ts";
import { goTime } from "../../../runtime/go/time.ts";
import { equalMeaning } from "../../../runtime/values/equal-meaning.ts";
import {
  duplicateField,
  invalidField,
  invalidFieldWithoutValue,
  requiredField,
} from "../../../runtime/values/field-errors.ts";
import { validateCounts } from "../../apps/v1/workload-validation.ts";
import { shownAs } from "../../go-types.ts";
import type { Job, JobSpec, JobStatus } from "./job.ts";
import { firstSharedIndex, indexesProblem } from "./job-indexes.ts";

/** Condition types of a Job that the rules are about. */
type Finding = "Complete" | "Failed" | "FailureTarget" | "SuccessCriteriaMet";

/** A status before and after an update. Most rules apply to changed fields only, because old controllers broke them. */
interface StatusChange {
  readonly spec: JobSpec;
  readonly status: JobStatus;
  readonly old: JobStatus;
  readonly is: (finding: Finding) => boolean;
  readonly was: (finding: Finding) => boolean;
  readonly changed: (...names: (keyof JobStatus)[]) => boolean;
  readonly flipped: (...findings: Finding[]) => boolean;
  readonly finished: boolean;
  readonly finishedChanged: boolean;
}

/** Applies strict rules if Jobs may be managed by other controllers (`managedBy`). */
export function validateJobStatus(
  job: Job,
  oldJob: Job,
  { featureEnabled }: Pick<HookContext, "featureEnabled">,
  path: string,
  errors: FieldError[],
): void {
  // Another controller may write the status, so it is validated more strictly.
  const strict = featureEnabled("JobManagedBy");
  const change = describeChange(job, oldJob);
  const { status } = change;
  validateCounts(status, ["active", "succeeded", "failed", "ready", "terminating"], path, errors);
  validateUncountedPods(status, `${path}.uncountedTerminatedPods`, errors);
  if (strict) {
    validateOutcome(change, path, errors);
    validateFinished(change, path, errors);
    validateIndexLists(change, path, errors);
    validatePodCounts(change, path, errors);
  }
  const isWidelyMet = strict || featureEnabled("JobPodReplacementPolicy") || change.was("SuccessCriteriaMet");
  validateSuccessCriteria(change, isWidelyMet, `${path}.conditions`, errors);
  if (strict) validateProgress(change, path, errors);
  if (change.was("SuccessCriteriaMet") && !change.is("SuccessCriteriaMet")) {
    const detail = "cannot disable the SuccessCriteriaMet=True condition";
    errors.push(invalidFieldWithoutValue(`${path}.conditions`, detail));
  }
  if (change.was("Complete") && !change.was("SuccessCriteriaMet") && change.is("SuccessCriteriaMet")) {
    const detail = "cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions";
    errors.push(invalidFieldWithoutValue(`${path}.conditions`, detail));
  }
}

function describeChange(job: Job, oldJob: Job): StatusChange {
  const status = job.status ?? {};
  const old = oldJob.status ?? {};
  const is = (finding: Finding) => holds(status, finding);
  const was = (finding: Finding) => holds(old, finding);
  const finished = is("Complete") || is("Failed");
  return {
    spec: job.spec ?? ({} as JobSpec),
    status,
    old,
    is,
    was,
    changed: (...names) => names.some((name) => !equalMeaning(status[name], old[name])),
    flipped: (...findings) => findings.some((finding) => is(finding) !== was(finding)),
    finished,
    finishedChanged: finished !== (was("Complete") || was("Failed")),
  };
}

function holds(status: JobStatus, finding: Finding): boolean {
  return (status.conditions ?? []).some(({ type, status: value }) => type === finding && value === "True");
}

function validateUncountedPods(status: JobStatus, path: string, errors: FieldError[]): void {
  const seen = new Set<string>();
  for (const list of ["succeeded", "failed"] as const) {
    for (const [index, uid] of (status.uncountedTerminatedPods?.[list] ?? []).entries()) {
      const field = `${path}.${list}[${index}]`;
      if (uid === "") errors.push(invalidField(field, uid, "must not be empty"));
      else if (seen.has(uid)) errors.push(duplicateField(field, uid));
      seen.add(uid);
    }
  }
}

/** Conditions must not contradict each other or the times. */
function validateOutcome(change: StatusChange, path: string, errors: FieldError[]): void {
  const { status, is, flipped, changed } = change;
  const refuse = (detail: string) => errors.push(invalidFieldWithoutValue(`${path}.conditions`, detail));
  const field = `${path}.completionTime`;
  if (flipped("Complete", "Failed") && is("Complete") && is("Failed")) {
    refuse("cannot set Complete=True and Failed=true conditions");
  }
  if (flipped("Complete", "FailureTarget") && is("Complete") && is("FailureTarget")) {
    refuse("cannot set Complete=True and FailureTarget=true conditions");
  }
  if (flipped("Complete") || changed("completionTime")) {
    if (status.completionTime !== undefined && !is("Complete")) {
      const detail = "cannot set completionTime when there is no Complete=True condition";
      errors.push(invalidField(field, shown(goTime(status.completionTime)), detail));
    }
    if (status.completionTime === undefined && is("Complete")) {
      errors.push(requiredField(field, "completionTime is required for Complete jobs"));
    }
  }
  if (changed("startTime", "completionTime") && status.startTime !== undefined && status.completionTime !== undefined) {
    if (Date.parse(status.completionTime) < Date.parse(status.startTime)) {
      const detail = "completionTime cannot be set before startTime";
      errors.push(invalidField(field, shown(goTime(status.completionTime)), detail));
    }
  }
  if ((flipped("Failed") || changed("failedIndexes")) && is("Failed") && !is("FailureTarget")) {
    refuse("cannot set Failed=True condition without the FailureTarget=true condition");
  }
  if (flipped("Complete", "SuccessCriteriaMet") && is("Complete") && !is("SuccessCriteriaMet")) {
    refuse("cannot set Complete=True condition without the SuccessCriteriaMet=true condition");
  }
}

function validateFinished(change: StatusChange, path: string, errors: FieldError[]): void {
  const { status, finished, finishedChanged, changed } = change;
  if (!finished) return;
  const { active = 0, uncountedTerminatedPods: uncounted } = status;
  if ((finishedChanged || changed("active")) && active > 0) {
    errors.push(invalidField(`${path}.active`, active, "active>0 is invalid for finished job"));
  }
  if ((finishedChanged || changed("startTime")) && status.startTime === undefined) {
    errors.push(requiredField(`${path}.startTime`, "startTime is required for finished job"));
  }
  const left = (uncounted?.failed ?? []).length + (uncounted?.succeeded ?? []).length;
  if ((finishedChanged || changed("uncountedTerminatedPods")) && left > 0) {
    const value = shownAs("batch.UncountedTerminatedPods", uncounted);
    const detail = "uncountedTerminatedPods needs to be empty for finished job";
    errors.push(invalidField(`${path}.uncountedTerminatedPods`, value, detail));
  }
}

function validateIndexLists(change: StatusChange, path: string, errors: FieldError[]): void {
  const { spec, status, changed } = change;
  const { completions, backoffLimitPerIndex } = spec;
  const { completedIndexes = "", failedIndexes } = status;
  const refuse = (name: string, value: string, detail: string) =>
    errors.push(invalidField(`${path}.${name}`, value, detail));
  const completedChanged = changed("completedIndexes");
  const failedChanged = changed("failedIndexes");
  if (completedChanged && completions !== undefined) {
    const problem = indexesProblem(completedIndexes, completions);
    if (problem !== undefined) {
      refuse("completedIndexes", completedIndexes, `error parsing completedIndexes: ${problem}`);
    }
  }
  if (failedChanged && completions !== undefined && backoffLimitPerIndex !== undefined && failedIndexes !== undefined) {
    const problem = indexesProblem(failedIndexes, completions);
    if (problem !== undefined) refuse("failedIndexes", failedIndexes, `error parsing failedIndexes: ${problem}`);
  }
  if (completedChanged && completedIndexes !== "" && spec.completionMode !== "Indexed") {
    const detail = "cannot set non-empty completedIndexes when non-indexed completion mode";
    refuse("completedIndexes", completedIndexes, detail);
  }
  if (failedIndexes === undefined) return;
  if (failedChanged && backoffLimitPerIndex === undefined) {
    refuse("failedIndexes", failedIndexes, "cannot set non-null failedIndexes when backoffLimitPerIndex is null");
  }
  if ((failedChanged || completedChanged) && completions !== undefined) {
    const index = firstSharedIndex(completedIndexes, failedIndexes, completions);
    if (index !== undefined) {
      refuse("failedIndexes", failedIndexes, `failedIndexes and completedIndexes overlap at index: ${index}`);
    }
  }
}

function validatePodCounts(change: StatusChange, path: string, errors: FieldError[]): void {
  const { status, finished, finishedChanged, changed } = change;
  const { ready = 0, active = 0, terminating = 0 } = status;
  if ((finishedChanged || changed("terminating")) && terminating > 0 && finished) {
    errors.push(invalidField(`${path}.terminating`, terminating, "terminating>0 is invalid for finished job"));
  }
  if (changed("ready", "active") && ready > active) {
    errors.push(invalidField(`${path}.ready`, ready, "cannot set more ready pods than active"));
  }
}

/** `isWidelyMet`: whether Jobs that are not indexed or have no success policy may have the condition `SuccessCriteriaMet`. */
function validateSuccessCriteria(
  { spec, is }: StatusChange,
  isWidelyMet: boolean,
  field: string,
  errors: FieldError[],
): void {
  const refuse = (detail: string) => errors.push(invalidFieldWithoutValue(field, detail));
  const met = is("SuccessCriteriaMet");
  if (met && !isWidelyMet && spec.completionMode !== "Indexed")
    refuse("cannot set SuccessCriteriaMet to NonIndexed Job");
  if (met && is("Failed")) refuse("cannot set SuccessCriteriaMet=True and Failed=true conditions");
  if (met && is("FailureTarget")) refuse("cannot set SuccessCriteriaMet=True and FailureTarget=true conditions");
  if (met && !isWidelyMet && spec.successPolicy === undefined)
    refuse("cannot set SuccessCriteriaMet=True for Job without SuccessPolicy");
  if (spec.successPolicy !== undefined && !met && is("Complete")) {
    refuse("cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True");
  }
}

/** Terminal conditions, counters and times must not be reverted. */
function validateProgress(change: StatusChange, path: string, errors: FieldError[]): void {
  const { spec, status, old, is, was } = change;
  for (const finding of ["Failed", "Complete", "FailureTarget"] as const) {
    if (was(finding) && !is(finding)) {
      const detail = `cannot disable the terminal ${finding}=True condition`;
      errors.push(invalidFieldWithoutValue(`${path}.conditions`, detail));
    }
  }
  const { failed = 0, succeeded = 0, completionTime } = status;
  if (failed < (old.failed ?? 0)) {
    errors.push(invalidField(`${path}.failed`, failed, "cannot decrease the failed counter"));
  }
  const isElastic = spec.completionMode === "Indexed" && spec.completions === spec.parallelism;
  if (!isElastic && succeeded < (old.succeeded ?? 0)) {
    errors.push(invalidField(`${path}.succeeded`, succeeded, "cannot decrease the succeeded counter"));
  }
  if (completionTime !== undefined && old.completionTime !== undefined && completionTime !== old.completionTime) {
    const value = shown(goTime(completionTime));
    errors.push(invalidField(`${path}.completionTime`, value, "completionTime cannot be mutated"));
  }
  if (old.startTime !== undefined && old.startTime !== status.startTime && spec.suspend !== true) {
    errors.push(requiredField(`${path}.startTime`, "startTime cannot be removed for unsuspended job"));
  }
}
