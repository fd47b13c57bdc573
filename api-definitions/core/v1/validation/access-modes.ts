import { PersistentVolumeAccessMode, PersistentVolumeMode } from "../../../../generated/values/core.v1.ts";
import type { FieldError } from "../../../../runtime/contract/field-error.ts";
import { forbiddenField, unsupportedField } from "../../../../runtime/values/field-errors.ts";

const MODES = [...PersistentVolumeAccessMode].sort();
const ALONE = "ReadWriteOncePod";

export const VOLUME_MODES = PersistentVolumeMode;

/** Validates access modes. `ReadWriteOncePod` excludes other modes. */
export function validateAccessModes(modes: readonly string[] | undefined, field: string, errors: FieldError[]): void {
  for (const mode of modes ?? []) if (!MODES.includes(mode)) errors.push(unsupportedField(field, mode, MODES));
  const others = modes?.some((mode) => mode !== ALONE && MODES.includes(mode));
  if (others && modes?.includes(ALONE))
    errors.push(forbiddenField(field, "may not use ReadWriteOncePod with other access modes"));
}
