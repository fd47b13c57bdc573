import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { equalMeaning } from "../../../runtime/values/equal-meaning.ts";
import { invalidField } from "../../../runtime/values/field-errors.ts";

/** Rejects a change of an immutable field. `show` formats the new value for the message if JSON is not the right format. */
export function validateImmutable<T>(
  value: T,
  old: T,
  field: string,
  errors: FieldError[],
  show: (value: NonNullable<T>) => unknown = (plain) => plain,
): void {
  if (equalMeaning(value ?? undefined, old ?? undefined)) return;
  errors.push(invalidField(field, value === undefined || value === null ? value : show(value), "field is immutable"));
}

/** Rejects a number that is lower than before or was removed. */
export function validateNotDecremented(
  value: number | undefined,
  old: number | undefined,
  field: string,
  errors: FieldError[],
): void {
  if (old !== undefined && (value === undefined || value < old)) {
    errors.push(invalidField(field, value ?? 0, "cannot be decremented"));
  }
}
