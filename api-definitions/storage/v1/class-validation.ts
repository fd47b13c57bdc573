import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { invalidField, invalidFields, requiredField, tooLongField } from "../../../runtime/values/field-errors.ts";
import { checkQualifiedName } from "../../../runtime/values/names.ts";

const MAX_PARAMETERS = 512;
const MAX_PARAMETERS_SIZE = 256 * 1024;

/** Validates the name of a provisioner or driver. */
export function validateDriver(name: string, field: string, errors: FieldError[]): void {
  if (name === "") errors.push(requiredField(field));
  else errors.push(...invalidFields(field, name.toLowerCase(), checkQualifiedName(name.toLowerCase())));
}

/** Validates the parameters of a class: their number, keys and total size. */
export function validateParameters(parameters: Record<string, string>, field: string, errors: FieldError[]): void {
  const entries = Object.entries(parameters);
  if (entries.length > MAX_PARAMETERS) {
    errors.push(tooLongField(field, MAX_PARAMETERS));
    return;
  }
  if (Object.hasOwn(parameters, "")) errors.push(invalidField(field, "", "field can not be empty."));
  const size = entries.reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value), 0);
  if (size > MAX_PARAMETERS_SIZE) errors.push(tooLongField(field, MAX_PARAMETERS_SIZE));
}
