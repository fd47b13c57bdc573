import { ConditionStatus } from "../../../generated/values/meta.v1.ts";
import type { FieldError } from "../../../runtime/contract/field-error.ts";
import {
  duplicateField,
  invalidField,
  invalidFields,
  requiredField,
  tooLongField,
  unsupportedField,
} from "../../../runtime/values/field-errors.ts";
import { checkQualifiedName, patternMessage } from "../../../runtime/values/names.ts";
import type { Condition } from "./condition.ts";

const STATUSES = [...ConditionStatus].sort();
const REASON = "[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?";
const REASON_PATTERN = new RegExp(`^${REASON}$`);
const REASON_LIMIT = 1024;
const MESSAGE_LIMIT = 32 * 1024;
const REASON_WORDS = patternMessage(
  "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_'",
  REASON,
  ["my_name", "MY_NAME", "MyName", "ReasonA,ReasonB", "ReasonA:ReasonB"],
);

/** Validates conditions of the type `Condition`; each condition type may occur once. */
export function validateConditions(
  conditions: readonly Condition[] | undefined,
  path: string,
  errors: FieldError[],
): void {
  const seen = new Set<string>();
  for (const [index, condition] of (conditions ?? []).entries()) {
    const at = `${path}[${index}]`;
    if (seen.has(condition.type)) errors.push(duplicateField(`${at}.type`, condition.type));
    seen.add(condition.type);
    validateCondition(condition, at, errors);
  }
}

function validateCondition(condition: Condition, path: string, errors: FieldError[]): void {
  const { type, status, observedGeneration = 0, lastTransitionTime, reason, message } = condition;
  errors.push(...invalidFields(`${path}.type`, type, checkQualifiedName(type)));
  if (!STATUSES.includes(status)) errors.push(unsupportedField(`${path}.status`, status, STATUSES));
  if (observedGeneration < 0) {
    errors.push(
      invalidField(`${path}.observedGeneration`, observedGeneration, "must be greater than or equal to zero"),
    );
  }
  if (!lastTransitionTime) errors.push(requiredField(`${path}.lastTransitionTime`, "must be set"));
  if (!reason) {
    errors.push(requiredField(`${path}.reason`, "must be set"));
  } else {
    if (!REASON_PATTERN.test(reason)) errors.push(invalidField(`${path}.reason`, reason, REASON_WORDS));
    if (Buffer.byteLength(reason) > REASON_LIMIT) errors.push(tooLongField(`${path}.reason`, REASON_LIMIT));
  }
  if (Buffer.byteLength(message ?? "") > MESSAGE_LIMIT) errors.push(tooLongField(`${path}.message`, MESSAGE_LIMIT));
}
