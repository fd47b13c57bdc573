import type { ApiObject, ObjectMeta } from "../contract/api-object.ts";
import { carryNotes } from "../go/source-notes.ts";

/** The order in which metadata is printed; assigning a field out of order would change the bytes. */
const ORDER: readonly (keyof ObjectMeta)[] = [
  "name",
  "generateName",
  "namespace",
  "selfLink",
  "uid",
  "resourceVersion",
  "generation",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
  "labels",
  "annotations",
  "ownerReferences",
  "finalizers",
  "managedFields",
];

/** A copy of metadata with changes, its fields in printing order. `undefined` removes a field. */
export function changeMeta(
  meta: ObjectMeta,
  changes: { readonly [K in keyof ObjectMeta]?: ObjectMeta[K] | undefined },
): ObjectMeta {
  const changed: Record<string, unknown> = {};
  for (const field of ORDER) {
    const value = field in changes ? changes[field] : meta[field];
    if (value !== undefined) changed[field] = value;
  }
  return changed as ObjectMeta;
}

/** The object with changed metadata, sharing the rest. */
export function withMeta(object: ApiObject, changes: Parameters<typeof changeMeta>[1]): ApiObject {
  const changed = { ...object, metadata: changeMeta(object.metadata, changes) };
  carryNotes(object, changed);
  return changed;
}
