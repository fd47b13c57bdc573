import type { ApiObject, ObjectMeta } from "../contract/api-object.ts";
import { carryNotes } from "../go/source-notes.ts";
import { isSortedObject } from "../lib/json-object.ts";

/** The order in which metadata is printed. Assigning a field out of order would change the bytes. */
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

const SORTED = ORDER.toSorted();

/** Returns a copy of metadata with changes applied, fields in printing order. `undefined` removes a field. */
export function changeMeta(
  meta: ObjectMeta,
  changes: { readonly [K in keyof ObjectMeta]?: ObjectMeta[K] | undefined },
  order = ORDER,
): ObjectMeta {
  const changed: Record<string, unknown> = {};
  for (const field of order) {
    const value = field in changes ? changes[field] : meta[field];
    if (value !== undefined) changed[field] = value;
  }
  carryNotes(meta, changed);
  return changed as ObjectMeta;
}

/** Returns the object with changed metadata. All other fields are shared with the original. */
export function withMeta(object: ApiObject, changes: Parameters<typeof changeMeta>[1]): ApiObject {
  const changed = {
    ...object,
    metadata: changeMeta(object.metadata, changes, isSortedObject(object) ? SORTED : ORDER),
  };
  carryNotes(object, changed);
  return changed;
}

const OWNER_ORDER = ["apiVersion", "kind", "name", "uid", "controller", "blockOwnerDeletion"];
const MANAGER_ORDER = ["manager", "operation", "apiVersion", "time", "fieldsType", "fieldsV1", "subresource"];

/** Reorders the sorted metadata of a custom object into the field order that built-in kinds print. */
export function inPrintingOrder(meta: ObjectMeta): ObjectMeta {
  const { ownerReferences, managedFields } = meta;
  return changeMeta(meta, {
    ...(ownerReferences && { ownerReferences: ownerReferences.map((owner) => reorder(owner, OWNER_ORDER)) }),
    ...(managedFields && { managedFields: managedFields.map((entry) => reorder(entry as object, MANAGER_ORDER)) }),
  });
}

function reorder<T extends object>(value: T, order: readonly string[]): T {
  const given = value as Readonly<Record<string, unknown>>;
  return Object.fromEntries(order.flatMap((name) => (name in given ? [[name, given[name]]] : []))) as T;
}
