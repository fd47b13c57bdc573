import type { FieldError } from "../contract/field-error.ts";

/** Runs checks that add what they find to a list, and returns the list. */
export function collectErrors(check: (errors: FieldError[]) => void): FieldError[] {
  const errors: FieldError[] = [];
  check(errors);
  return errors;
}
