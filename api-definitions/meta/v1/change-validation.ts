import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { equalMeaning } from "../../../runtime/lib/equal-meaning.ts";
import { invalidField } from "../../../runtime/lib/field-errors.ts";

/** A field that keeps the value it was created with. `show` says how the new value is printed, where JSON would not do. */
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

/** A count that only grows; a count that is gone has shrunk to nothing. */
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
