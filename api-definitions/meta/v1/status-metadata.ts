import type { HookContext } from "../../../runtime/contract/kind-hooks.ts";
import type { ObjectMeta } from "./object-meta.ts";

const KEPT = ["deletionTimestamp", "labels", "annotations", "finalizers", "ownerReferences"] as const;

/** For kinds whose metadata cannot be changed by the way when their status is written. */
export function keepMetadataOnStatus(
  object: { metadata?: ObjectMeta },
  old: { metadata?: ObjectMeta },
  { subresource }: HookContext,
): void {
  if (subresource === "status") keepMetadata(object, old);
}

/** For writers who may not change labels and the like by the way. */
export function keepMetadata(object: { metadata?: ObjectMeta }, old: { metadata?: ObjectMeta }): void {
  const metadata: ObjectMeta = { ...object.metadata };
  for (const name of KEPT) {
    delete metadata[name];
    if (old.metadata?.[name] !== undefined) Object.assign(metadata, { [name]: old.metadata[name] });
  }
  object.metadata = metadata;
}

/** For kinds of whose metadata a status brings nothing at all but who owns which fields. */
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
