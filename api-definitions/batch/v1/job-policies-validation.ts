import { PodFailurePolicyAction, PodFailurePolicyOnExitCodesOperator } from "../../../generated/values/batch.v1.ts";
import { ConditionStatus } from "../../../generated/values/core.v1.ts";
import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { goList, shown } from "../../../runtime/go/literal.ts";
import { goQuoteList } from "../../../runtime/go/quote.ts";
import { asGiven } from "../../../runtime/go/source-notes.ts";
import {
  duplicateField,
  invalidField,
  invalidFields,
  invalidFieldWithoutValue,
  requiredField,
  tooLongField,
  tooManyField,
  unsupportedField,
} from "../../../runtime/values/field-errors.ts";
import { checkQualifiedName } from "../../../runtime/values/names.ts";
import { repeats } from "../../../runtime/values/repeats.ts";
import { validateNonNegative } from "../../core/v1/validation/basics.ts";
import type { JobSpec } from "./job.ts";
import { countIndexes, IndexesError } from "./job-indexes.ts";
import type {
  PodFailurePolicyOnExitCodesRequirement,
  PodFailurePolicyOnPodConditionsPattern,
  PodFailurePolicyRule,
  SuccessPolicyRule,
} from "./pod-failure-policy.ts";

const ACTIONS = [...PodFailurePolicyAction].sort();
const CONDITION_STATUSES = [...ConditionStatus].sort();
const MAX_RULES = 20;
const MAX_EXIT_CODES = 255;
const MAX_CONDITIONS = 20;
const MAX_INDEXES_LENGTH = 64 * 1024;

/** Validates the rules that decide how failed pods are handled. */
export function validatePodFailurePolicy(spec: JobSpec, path: string, errors: FieldError[]): void {
  const rules = spec.podFailurePolicy?.rules ?? [];
  if (rules.length > MAX_RULES) errors.push(tooManyField(`${path}.rules`, rules.length, MAX_RULES));
  const pod = spec.template?.spec;
  const containers = [...(pod?.containers ?? []), ...(pod?.initContainers ?? [])].map(({ name }) => name);
  for (const [index, rule] of rules.entries()) {
    validateFailureRule(rule, spec.backoffLimitPerIndex, containers, `${path}.rules[${index}]`, errors);
  }
}

/** Validates the rules by which an indexed Job succeeds early. */
export function validateSuccessPolicy(spec: JobSpec, path: string, errors: FieldError[]): void {
  const rules = spec.successPolicy?.rules ?? [];
  if (rules.length === 0) {
    const detail = "at least one rules must be specified when the successPolicy is specified";
    errors.push(requiredField(`${path}.rules`, detail));
  }
  if (rules.length > MAX_RULES) errors.push(tooManyField(`${path}.rules`, rules.length, MAX_RULES));
  for (const [index, rule] of rules.entries()) {
    validateSuccessRule(rule, spec.completions ?? 0, `${path}.rules[${index}]`, errors);
  }
}

function validateFailureRule(
  rule: PodFailurePolicyRule,
  backoffLimitPerIndex: number | undefined,
  containers: readonly string[],
  path: string,
  errors: FieldError[],
): void {
  const { action, onExitCodes, onPodConditions = [] } = rule;
  if (action === "FailIndex") {
    if (backoffLimitPerIndex === undefined) {
      errors.push(invalidField(`${path}.action`, action, "requires the backoffLimitPerIndex to be set"));
    }
  } else {
    validateChoice(action, ACTIONS, `${path}.action`, errors);
  }
  if (onExitCodes !== undefined) validateExitCodes(onExitCodes, containers, `${path}.onExitCodes`, errors);
  if (onPodConditions.length > 0) validatePodConditions(onPodConditions, `${path}.onPodConditions`, errors);
  if (onExitCodes !== undefined && onPodConditions.length > 0) {
    errors.push(invalidFieldWithoutValue(path, "specifying both OnExitCodes and OnPodConditions is not supported"));
  }
  if (onExitCodes === undefined && onPodConditions.length === 0) {
    errors.push(invalidFieldWithoutValue(path, "specifying one of OnExitCodes and OnPodConditions is required"));
  }
}

function validatePodConditions(
  patterns: readonly PodFailurePolicyOnPodConditionsPattern[],
  path: string,
  errors: FieldError[],
): void {
  if (patterns.length > MAX_CONDITIONS) errors.push(tooManyField(path, patterns.length, MAX_CONDITIONS));
  for (const [index, { type, status }] of patterns.entries()) {
    errors.push(...invalidFields(`${path}[${index}].type`, type, checkQualifiedName(type)));
    validateChoice(status, CONDITION_STATUSES, `${path}[${index}].status`, errors);
  }
}

function validateExitCodes(
  requirement: PodFailurePolicyOnExitCodesRequirement,
  containers: readonly string[],
  path: string,
  errors: FieldError[],
): void {
  const { operator, containerName } = requirement;
  const values: readonly number[] = requirement.values ?? [];
  validateChoice(operator, PodFailurePolicyOnExitCodesOperator, `${path}.operator`, errors);
  if (containerName !== undefined && !containers.includes(containerName)) {
    const detail = "must be one of the container or initContainer names in the pod template";
    errors.push(invalidField(`${path}.containerName`, containerName, detail));
  }
  const all = shown(goList("int32", asGiven(requirement, "values")?.map(String)));
  if (values.length === 0) errors.push(invalidField(`${path}.values`, all, "at least one value is required"));
  else if (values.length > MAX_EXIT_CODES) {
    errors.push(tooManyField(`${path}.values`, values.length, MAX_EXIT_CODES));
  }
  const isRepeated = repeats<number>();
  for (const [index, value] of values.entries()) {
    const field = `${path}.values[${index}]`;
    if (operator === "In" && value === 0) errors.push(invalidField(field, 0, "must not be 0 for the In operator"));
    if (isRepeated(value)) errors.push(duplicateField(field, value));
  }
  if (values.some((value, index) => index > 0 && (values[index - 1] ?? value) > value)) {
    errors.push(invalidField(`${path}.values`, all, "must be ordered"));
  }
}

function validateSuccessRule(rule: SuccessPolicyRule, completions: number, path: string, errors: FieldError[]): void {
  const { succeededCount, succeededIndexes } = rule;
  if (succeededCount === undefined && succeededIndexes === undefined) {
    errors.push(requiredField(path, "at least one of succeededCount or succeededIndexes must be specified"));
  }
  const total = validateSucceededIndexes(succeededIndexes, completions, `${path}.succeededIndexes`, errors);
  if (succeededCount === undefined) return;
  const field = `${path}.succeededCount`;
  validateNonNegative(succeededCount, field, errors);
  if (succeededCount > completions) {
    const detail = `must be less than or equal to ${completions} (the number of specified completions)`;
    errors.push(invalidField(field, succeededCount, detail));
  }
  if (succeededIndexes !== undefined && succeededCount > total) {
    const detail = `must be less than or equal to ${total} (the number of indexes in the specified succeededIndexes field)`;
    errors.push(invalidField(field, succeededCount, detail));
  }
}

/** Returns the number of indexes in the list. */
function validateSucceededIndexes(
  indexes: string | undefined,
  completions: number,
  field: string,
  errors: FieldError[],
): number {
  if (indexes === undefined) return 0;
  if (Buffer.byteLength(indexes) > MAX_INDEXES_LENGTH) errors.push(tooLongField(field, MAX_INDEXES_LENGTH));
  try {
    return countIndexes(indexes, completions);
  } catch (error) {
    if (!(error instanceof IndexesError)) throw error;
    errors.push(invalidField(field, indexes, `error parsing succeededIndexes: ${error.message}`));
    return 0;
  }
}

function validateChoice(
  value: string | undefined,
  choices: readonly string[],
  field: string,
  errors: FieldError[],
): void {
  if (!value) errors.push(requiredField(field, `valid values: ${goQuoteList(choices)}`));
  else if (!choices.includes(value)) errors.push(unsupportedField(field, value, choices));
}
