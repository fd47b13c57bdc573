import type { FieldError } from "../../../../runtime/contract/field-error.ts";
import { asGiven } from "../../../../runtime/go/source-notes.ts";
import { equalMeaning } from "../../../../runtime/values/equal-meaning.ts";
import { forbiddenField, invalidFields } from "../../../../runtime/values/field-errors.ts";
import { checkConfigMapKey } from "../../../../runtime/values/formats.ts";

/** All values of a ConfigMap or Secret together. */
export const MAX_DATA_SIZE = 1024 * 1024;

/** What nothing is wrong with, told fast: there may be very many. */
const COMMON_KEY = /^[-\w][-.\w]{0,252}$/;

/** Keys become names of files, so they must be able to. */
export function validateDataKey(key: string, field: string, errors: FieldError[]): void {
  if (COMMON_KEY.test(key)) return;
  const problems = checkConfigMapKey(key);
  if (problems.length > 0) errors.push(...invalidFields(`${field}[${key}]`, key, problems));
}

/** What was declared immutable stays so, and so does the data. */
export function validateFrozen<T extends { immutable?: boolean }>(
  object: T,
  old: T,
  fields: readonly (keyof T & string)[],
  errors: FieldError[],
): void {
  if (old.immutable !== true) return;
  const detail = "field is immutable when `immutable` is set";
  if (object.immutable !== true) errors.push(forbiddenField("immutable", detail));
  for (const field of fields) {
    const isSame = equalMeaning(object[field] ?? {}, old[field] ?? {});
    // Go tells a map that is empty from none.
    const isNew = (old[field] ?? undefined) === undefined && (asGiven(object, field) ?? undefined) !== undefined;
    if (!isSame || isNew) errors.push(forbiddenField(field, detail));
  }
}

/** How many bytes a text in base64 stands for. */
export function base64Size(text: string): number {
  return Buffer.byteLength(text, "base64");
}
