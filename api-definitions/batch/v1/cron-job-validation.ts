import { ConcurrencyPolicy } from "../../../generated/values/batch.v1.ts";
import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { goLabelSelector, shown } from "../../../runtime/go/literal.ts";
import { invalidField, requiredField, unsupportedField } from "../../../runtime/values/field-errors.ts";
import type { PodRules } from "../../core/v1/validation/security.ts";
import type { CronJobSpec, JobTemplateSpec } from "./cron-job.ts";
import { scheduleProblem } from "./cron-schedule.ts";
import type { JobSpec } from "./job.ts";
import { validateJobSpec } from "./job-validation.ts";
import { isTimeZone } from "./time-zones.ts";

/** The controller appends 11 characters to the name of a CronJob to name its Jobs. */
const MAX_NAME = 63 - 11;
const ZONE_PART = /^[A-Za-z.\-_0-9+]{1,14}$/;

export function validateCronJobName(name: string, errors: FieldError[]): void {
  if (name.length > MAX_NAME) {
    errors.push(invalidField("metadata.name", name, `must be no more than ${MAX_NAME} characters`));
  }
}

/** `old` is the spec before an update; its time zone is not validated again. */
export function validateCronJobSpec(
  spec: CronJobSpec,
  old: CronJobSpec | undefined,
  path: string,
  rules: PodRules,
  errors: FieldError[],
): void {
  validateSchedule(spec, old?.schedule?.includes("TZ") ?? false, `${path}.schedule`, errors);
  if (spec.timeZone !== undefined && (old === undefined || old.timeZone !== spec.timeZone)) {
    validateTimeZone(spec.timeZone, `${path}.timeZone`, errors);
  }
  const policy = spec.concurrencyPolicy ?? "";
  if (policy === "") errors.push(requiredField(`${path}.concurrencyPolicy`));
  else if (!ConcurrencyPolicy.includes(policy)) {
    errors.push(unsupportedField(`${path}.concurrencyPolicy`, policy, ConcurrencyPolicy));
  }
  validateJobTemplate(spec.jobTemplate ?? {}, old?.jobTemplate, `${path}.jobTemplate.spec`, rules, errors);
}

function validateSchedule(spec: CronJobSpec, zoneAllowed: boolean, field: string, errors: FieldError[]): void {
  const { schedule = "", timeZone } = spec;
  if (schedule === "") {
    errors.push(requiredField(field));
    return;
  }
  const problem = scheduleProblem(schedule);
  if (problem !== undefined) errors.push(invalidField(field, schedule, problem));
  if (!schedule.includes("TZ")) return;
  if (!zoneAllowed) {
    const detail = "cannot use TZ or CRON_TZ in schedule, use timeZone field instead";
    errors.push(invalidField(field, schedule, detail));
  } else if (timeZone !== undefined) {
    const detail = "cannot use both timeZone field and TZ or CRON_TZ in schedule";
    errors.push(invalidField(field, schedule, detail));
  }
}

function validateTimeZone(zone: string, field: string, errors: FieldError[]): void {
  const refuse = (detail: string) => errors.push(invalidField(field, zone, detail));
  if (zone === "") {
    refuse("timeZone must be nil or non-empty string");
    return;
  }
  const isOdd = (part: string) => part === "." || part === ".." || part.startsWith("-") || !ZONE_PART.test(part);
  if (zone.split("/").some(isOdd)) {
    refuse(`unknown time zone ${zone}`);
    return;
  }
  if (zone.toLowerCase() === "local") {
    refuse("timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones");
  }
  if (!isTimeZone(zone)) refuse(`unknown time zone ${zone}`);
}

function validateJobTemplate(
  template: JobTemplateSpec,
  old: JobTemplateSpec | undefined,
  path: string,
  rules: PodRules,
  errors: FieldError[],
): void {
  const spec = template.spec ?? ({} as JobSpec);
  validateJobSpec(spec, path, rules, errors, old?.spec);
  if (spec.selector !== undefined) {
    const value = shown(goLabelSelector(spec.selector));
    errors.push(invalidField(`${path}.selector`, value, "`selector` will be auto-generated"));
  }
  if (spec.manualSelector === true) {
    errors.push(unsupportedField(`${path}.manualSelector`, true, ["nil", "false"]));
  }
}
