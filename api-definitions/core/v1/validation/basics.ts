import type { FieldError } from "../../../../runtime/contract/field-error.ts";
import { invalidField, invalidFields, requiredField } from "../../../../runtime/values/field-errors.ts";
import { checkPortName, checkPortNumber, checkRange } from "../../../../runtime/values/formats.ts";
import { checkDnsLabel } from "../../../../runtime/values/names.ts";
import { parseQuantity } from "../../../../runtime/values/quantity.ts";

const MAX_ID = 2_147_483_647;

/** Requires a string that is not empty. Returns whether it is present. */
export function need(value: string | undefined, field: string, errors: FieldError[], detail = ""): boolean {
  if (value !== undefined && value !== "") return true;
  errors.push(requiredField(field, detail));
  return false;
}

export function validateDnsLabel(value: string, field: string, errors: FieldError[]): void {
  errors.push(...invalidFields(field, value, checkDnsLabel(value)));
}

/** Validates a user or group ID. */
export function validateId(id: number | undefined, field: string, errors: FieldError[]): void {
  if (id !== undefined) errors.push(...invalidFields(field, id, checkRange(id, 0, MAX_ID)));
}

/** Validates the permission bits of a file. */
export function validateFileMode(mode: number | undefined, field: string, errors: FieldError[]): void {
  if (mode !== undefined && (mode > 0o777 || mode < 0)) {
    errors.push(invalidField(field, mode, "must be a number between 0 and 0777 (octal), both inclusive"));
  }
}

export function validatePort(port: number | string, field: string, errors: FieldError[]): void {
  const problems = typeof port === "number" ? checkPortNumber(port) : checkPortName(port);
  errors.push(...invalidFields(field, port, problems));
}

export function validateNonNegative(value: number, field: string, errors: FieldError[]): void {
  if (value < 0) errors.push(invalidField(field, value, "must be greater than or equal to 0"));
}

export function validatePositive(value: number, field: string, errors: FieldError[]): void {
  if (value <= 0) errors.push(invalidField(field, value, "must be greater than zero"));
}

export function validateNonNegativeQuantity(value: string, field: string, errors: FieldError[]): void {
  if (parseQuantity(value).unscaled < 0n) errors.push(invalidField(field, value, "must be greater than or equal to 0"));
}
