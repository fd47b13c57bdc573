import type { HookContext } from "../../../runtime/contract/kind-hooks.ts";
import type { ObjectMeta } from "./object-meta.ts";

const KEPT = ["deletionTimestamp", "labels", "annotations", "finalizers", "ownerReferences"] as const;

/** Discards metadata changes in writes of the subresource `status`. */
export function keepMetadataOnStatus(
  object: { metadata?: ObjectMeta },
  old: { metadata?: ObjectMeta },
  { subresource }: HookContext,
): void {
  if (subresource === "status") keepMetadata(object, old);
}

/** Restores labels, annotations, finalizers, owners and the deletion timestamp of the stored object. */
export function keepMetadata(object: { metadata?: ObjectMeta }, old: { metadata?: ObjectMeta }): void {
  const metadata: ObjectMeta = { ...object.metadata };
  for (const name of KEPT) {
    delete metadata[name];
    if (old.metadata?.[name] !== undefined) Object.assign(metadata, { [name]: old.metadata[name] });
  }
  object.metadata = metadata;
}

/** Discards all metadata of a status write except `managedFields`. */
export function keepAllMetadataOnStatus(
  object: { metadata?: ObjectMeta },
  old: { metadata?: ObjectMeta },
  { subresource }: HookContext,
): void {
  if (subresource !== "status") return;
  const { managedFields } = object.metadata ?? {};
  const { managedFields: _former, ...kept } = old.metadata ?? {};
  object.metadata = { ...kept, ...(managedFields && { managedFields }) } as ObjectMeta;
}
