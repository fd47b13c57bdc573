import type { PersistentVolumeClaim } from "../core/v1/persistent-volume-claim.ts";

/** Sets `apiVersion`, `kind` and the defaults of a PersistentVolumeClaim in a claim template. */
export function defaultClaimTemplate(claim: PersistentVolumeClaim): void {
  claim.apiVersion = "v1";
  claim.kind = "PersistentVolumeClaim";
  if (claim.spec !== undefined) claim.spec.volumeMode ??= "Filesystem";
}
