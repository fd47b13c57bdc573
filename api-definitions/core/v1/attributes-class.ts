import type { HookContext } from "../../../runtime/contract/kind-hooks.ts";
import type { PersistentVolumeClaimStatus } from "./persistent-volume-claim.ts";

/**
 * Claims and volumes lose the class of their attributes while the feature is off, unless they had one. Templates of
 * claims and volumes inside other objects keep it, unlooked at.
 */
export function dropAttributesClass(
  spec: { volumeAttributesClassName?: string } | undefined,
  old: { volumeAttributesClassName?: string } | undefined,
  { featureEnabled }: Pick<HookContext, "featureEnabled">,
): void {
  if (featureEnabled("VolumeAttributesClass") || old?.volumeAttributesClassName !== undefined) return;
  delete spec?.volumeAttributesClassName;
}

/** The same for what the status of a claim says of it. */
export function dropAttributesClassStatus(
  status: PersistentVolumeClaimStatus | undefined,
  old: PersistentVolumeClaimStatus | undefined,
  { featureEnabled }: Pick<HookContext, "featureEnabled">,
): void {
  if (status === undefined || featureEnabled("VolumeAttributesClass")) return;
  if (old?.currentVolumeAttributesClassName === undefined) delete status.currentVolumeAttributesClassName;
  if (old?.modifyVolumeStatus === undefined) delete status.modifyVolumeStatus;
}
