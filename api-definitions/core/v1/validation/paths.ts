import type { FieldError } from "../../../../runtime/contract/field-error.ts";
import { invalidField } from "../../../../runtime/values/field-errors.ts";

/** A path on a host or in a volume that must not climb. */
export function validateNoBacksteps(path: string, field: string, errors: FieldError[]): void {
  if (path.split("/").includes("..")) errors.push(invalidField(field, path, "must not contain '..'"));
}

/** A path below the place it is used in. */
export function validateDescendingPath(path: string, field: string, errors: FieldError[]): void {
  if (path.startsWith("/")) errors.push(invalidField(field, path, "must be a relative path"));
  validateNoBacksteps(path, field, errors);
}

/** The same, in a place where names that begin with two dots are the system's own. */
export function validateProjectedPath(path: string, field: string, errors: FieldError[]): void {
  validateDescendingPath(path, field, errors);
  if (path.startsWith("..") && !path.startsWith("../"))
    errors.push(invalidField(field, path, "must not start with '..'"));
}
