import type { PersistentVolumeClaim } from "../core/v1/persistent-volume-claim.ts";

/** The claims of a StatefulSet say what they are, and have the defaults of any claim. */
export function defaultClaimTemplate(claim: PersistentVolumeClaim): void {
  claim.apiVersion = "v1";
  claim.kind = "PersistentVolumeClaim";
  if (claim.spec !== undefined) claim.spec.volumeMode ??= "Filesystem";
}
