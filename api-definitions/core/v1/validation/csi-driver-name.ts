import type { FieldError } from "../../../../runtime/contract/field-error.ts";
import { invalidField, requiredField, tooLongField } from "../../../../runtime/values/field-errors.ts";
import { checkSubdomain } from "../../../../runtime/values/names.ts";

const MAX_LENGTH = 63;

export function validateCsiDriverName(name: string, field: string, errors: FieldError[]): void {
  if (name === "") errors.push(requiredField(field));
  if (Buffer.byteLength(name) > MAX_LENGTH) errors.push(tooLongField(field, MAX_LENGTH));
  for (const problem of checkSubdomain(name.toLowerCase())) errors.push(invalidField(field, name, problem));
}
