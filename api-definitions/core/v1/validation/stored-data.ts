import type { FieldError } from "../../../../runtime/contract/field-error.ts";
import { asGiven } from "../../../../runtime/go/source-notes.ts";
import { equalMeaning } from "../../../../runtime/values/equal-meaning.ts";
import { forbiddenField, invalidFields } from "../../../../runtime/values/field-errors.ts";
import { checkConfigMapKey } from "../../../../runtime/values/formats.ts";

/** Maximum total size in bytes of all values of a ConfigMap or Secret. */
export const MAX_DATA_SIZE = 1024 * 1024;

/** Matches most valid keys, as a fast path for objects with very many keys. */
const COMMON_KEY = /^[-\w][-.\w]{0,252}$/;

/** Validates a key, which must be usable as a file name. */
export function validateDataKey(key: string, field: string, errors: FieldError[]): void {
  if (COMMON_KEY.test(key)) return;
  const problems = checkConfigMapKey(key);
  if (problems.length > 0) errors.push(...invalidFields(`${field}[${key}]`, key, problems));
}

/** Rejects changes of the data and of `immutable` once `immutable` is set. */
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
    // Go distinguishes an empty map from an absent one.
    const isNew = (old[field] ?? undefined) === undefined && (asGiven(object, field) ?? undefined) !== undefined;
    if (!isSame || isNew) errors.push(forbiddenField(field, detail));
  }
}

/** Returns the number of bytes that a base64 string decodes to. */
export function base64Size(text: string): number {
  return Buffer.byteLength(text, "base64");
}
