import type { JsonArray, JsonValue } from "../../lib/json-object.ts";
import { FieldSet } from "../fieldpath/field-set.ts";
import { fieldPath, type Path } from "../fieldpath/path.ts";
import type { ManagerFields } from "../merge/managers.ts";
import { decodeManaged, encodeManaged, type Managed } from "./managed.ts";

/** Path of the number of replicas in each version of a kind. Null for a version without scale subresource; unknown versions have no entry. */
export type ReplicasPaths = ReadonlyMap<string, Path | null>;

const SCALE_VERSION = "autoscaling/v1";
const REPLICAS_IN_SCALE = fieldPath("spec", "replicas");

/** Returns the managedFields that the Scale of an object shows: the managers that own the number of replicas. */
export function scaleManagedFields(parentEntries: JsonValue | undefined, paths: ReplicasPaths): JsonArray {
  const parent = decodeManaged(parentEntries);
  const fields = new Map<string, ManagerFields>();
  for (const [key, owned] of parent.fields) {
    const path = paths.get(owned.apiVersion);
    if (path && owned.set.has(path)) {
      fields.set(key, { ...owned, set: FieldSet.of(REPLICAS_IN_SCALE), apiVersion: SCALE_VERSION });
    }
  }
  return encodeManaged({ ...parent, fields });
}

/**
 * Returns the managedFields of an object after a write to its Scale. Managers that lost the number of replicas in the Scale lose it in the
 * object; managers that gained it there gain it in the object, in `apiVersion`.
 */
export function parentManagedFields(
  parentEntries: JsonValue | undefined,
  scaleEntries: JsonValue | undefined,
  paths: ReplicasPaths,
  apiVersion: string,
): JsonArray {
  const parent: Managed = decodeManaged(parentEntries);
  const scale = new Map(decodeManaged(scaleEntries).fields);
  const fields = new Map<string, ManagerFields>();
  for (const [key, owned] of parent.fields) {
    const path = paths.get(owned.apiVersion);
    if (path === undefined) continue;
    const holdsReplicas = path !== null && owned.set.has(path);
    const lost = holdsReplicas && !scale.delete(key);
    const set = lost ? owned.set.difference(FieldSet.of(path)) : owned.set;
    if (!set.isEmpty) fields.set(key, set === owned.set ? owned : { ...owned, set });
  }
  const path = paths.get(apiVersion);
  for (const [key, owned] of scale) {
    if (path && owned.set.has(REPLICAS_IN_SCALE)) {
      fields.set(key, { set: FieldSet.of(path), apiVersion, applied: owned.applied });
    }
  }
  return encodeManaged({ ...parent, fields });
}
