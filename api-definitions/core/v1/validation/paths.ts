import type { FieldError } from "../../../../runtime/contract/field-error.ts";
import { invalidField } from "../../../../runtime/values/field-errors.ts";

/** Rejects `..` as a segment of a path on a host or in a volume. */
export function validateNoBacksteps(path: string, field: string, errors: FieldError[]): void {
  if (path.split("/").includes("..")) errors.push(invalidField(field, path, "must not contain '..'"));
}

/** Requires a relative path without `..` as a segment. */
export function validateDescendingPath(path: string, field: string, errors: FieldError[]): void {
  if (path.startsWith("/")) errors.push(invalidField(field, path, "must be a relative path"));
  validateNoBacksteps(path, field, errors);
}

/** Like `validateDescendingPath`, and rejects names that start with `..`, which are reserved in projected volumes. */
export function validateProjectedPath(path: string, field: string, errors: FieldError[]): void {
  validateDescendingPath(path, field, errors);
  if (path.startsWith("..") && !path.startsWith("../"))
    errors.push(invalidField(field, path, "must not start with '..'"));
}
