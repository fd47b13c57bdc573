import type { ApiObject } from "../contract/api-object.ts";
import type { Naming } from "../contract/naming.ts";

/** The storage class a claim names, by its old annotation or its field; undefined if it names none. */
export function claimClass(claim: ApiObject, naming: Naming): string | undefined {
  const annotated = claim.metadata.annotations?.[naming.key("storage-class", "volume.beta")];
  return annotated ?? (claim.spec as { storageClassName?: string } | undefined)?.storageClassName;
}
