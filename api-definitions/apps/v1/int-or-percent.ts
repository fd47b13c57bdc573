import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { goIntOrString, shown } from "../../../runtime/go/literal.ts";
import { invalidField } from "../../../runtime/values/field-errors.ts";
import { checkPercent } from "../../../runtime/values/formats.ts";
import { validateNonNegative } from "../../core/v1/validation/basics.ts";

/** Validates a number of pods or a percentage. */
export function validateIntOrPercent(value: number | string, field: string, errors: FieldError[]): void {
  if (typeof value === "number") return validateNonNegative(value, field, errors);
  for (const problem of checkPercent(value)) errors.push(invalidField(field, shown(goIntOrString(value)), problem));
}

export function validateAtMost100Percent(value: number | string, field: string, errors: FieldError[]): void {
  if ((percentOf(value) ?? 0) > 100) {
    errors.push(invalidField(field, shown(goIntOrString(value)), "must not be greater than 100%"));
  }
}

/** The number, with or without a percent sign; 0 if it is neither a number nor a percentage. */
export function amountOf(value: number | string): number {
  if (typeof value === "number") return value;
  const plain = percentOf(value) ?? Number(value);
  return Number.isInteger(plain) ? plain : 0;
}

function percentOf(value: number | string): number | undefined {
  return typeof value === "string" && checkPercent(value).length === 0 ? Number(value.slice(0, -1)) : undefined;
}
