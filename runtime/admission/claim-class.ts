import type { ApiObject } from "../contract/api-object.ts";
import type { Naming } from "../contract/naming.ts";

/** Returns the storage class of a claim, from its legacy annotation or its field; undefined if neither is set. */
export function claimClass(claim: ApiObject, naming: Naming): string | undefined {
  const annotated = claim.metadata.annotations?.[naming.key("storage-class", "volume.beta")];
  return annotated ?? (claim.spec as { storageClassName?: string } | undefined)?.storageClassName;
}
