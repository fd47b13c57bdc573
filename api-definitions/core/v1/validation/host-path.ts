import { HostPathType } from "../../../../generated/values/core.v1.ts";
import type { FieldError } from "../../../../runtime/contract/field-error.ts";
import { unsupportedField } from "../../../../runtime/values/field-errors.ts";
import type { HostPathVolumeSource } from "../volumes.ts";
import { need } from "./basics.ts";
import { validateNoBacksteps } from "./paths.ts";

const TYPES = [...HostPathType].sort();

/** Validates the path on the node and the expected type of the file. */
export function validateHostPath(
  { path: target, type }: HostPathVolumeSource,
  path: string,
  errors: FieldError[],
): void {
  if (!need(target, `${path}.path`, errors)) return;
  validateNoBacksteps(target, `${path}.path`, errors);
  if (type !== undefined && !TYPES.includes(type)) errors.push(unsupportedField(`${path}.type`, type, TYPES));
}
