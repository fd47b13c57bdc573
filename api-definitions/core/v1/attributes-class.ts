import type { HookContext } from "../../../runtime/contract/kind-hooks.ts";
import type { PersistentVolumeClaimStatus } from "./persistent-volume-claim.ts";

/**
 * Removes `volumeAttributesClassName` from claims and volumes while the feature gate is off, unless the stored object
 * has one. Claim templates and volumes inside other objects are not changed.
 */
export function dropAttributesClass(
  spec: { volumeAttributesClassName?: string } | undefined,
  old: { volumeAttributesClassName?: string } | undefined,
  { featureEnabled }: Pick<HookContext, "featureEnabled">,
): void {
  if (featureEnabled("VolumeAttributesClass") || old?.volumeAttributesClassName !== undefined) return;
  delete spec?.volumeAttributesClassName;
}

/** Removes the volume attributes fields of a claim's status under the same conditions as `dropAttributesClass`. */
export function dropAttributesClassStatus(
  status: PersistentVolumeClaimStatus | undefined,
  old: PersistentVolumeClaimStatus | undefined,
  { featureEnabled }: Pick<HookContext, "featureEnabled">,
): void {
  if (status === undefined || featureEnabled("VolumeAttributesClass")) return;
  if (old?.currentVolumeAttributesClassName === undefined) delete status.currentVolumeAttributesClassName;
  if (old?.modifyVolumeStatus === undefined) delete status.modifyVolumeStatus;
}
