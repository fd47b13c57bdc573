import {
  getOwn,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonObjectDraft,
  type JsonValue,
  setOwn,
} from "../lib/json-object.ts";
import { goJsonKind } from "./go-json-kind.ts";
import { PatchError } from "./patch-error.ts";

/**
 * JSON Merge Patch (RFC 7386). Null removes; objects merge; everything else replaces. As in Kubernetes, nulls inside
 * what is added or replaces something else than an object are dropped, even from objects in lists.
 *
 * Neither argument is changed; the result shares what the patch does not change. Throws PatchError.
 */
export function applyMergePatch(target: JsonObject, patch: JsonValue): JsonObject {
  if (patch !== null && !isJsonObject(patch)) {
    const kind = goJsonKind(patch);
    const expected = "map[string]interface {}";
    throw new PatchError(
      "BadPatch",
      `error decoding patch: json: cannot unmarshal ${kind} into Go value of type ${expected}`,
    );
  }
  return applyAnyMergePatch(target, patch) as JsonObject;
}

export const NO_MERGE_PATCH = "Invalid JSON Patch";

/** The same without strict checks: a list replaces everything. */
export function applyAnyMergePatch(target: JsonObject, patch: JsonValue): JsonValue {
  if (isJsonObject(patch)) return mergeObjects(target, patch);
  if (isJsonArray(patch)) return withoutNulls(patch);
  throw new PatchError("BadPatch", NO_MERGE_PATCH);
}

function mergeObjects(target: JsonObject, patch: JsonObject): JsonObject {
  const merged: JsonObjectDraft = { ...target };
  for (const key of Object.keys(patch)) {
    const value = patch[key] as JsonValue;
    if (value === null) delete merged[key];
    else setOwn(merged, key, mergeValue(getOwn(target, key), value));
  }
  return merged;
}

function mergeValue(target: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isJsonObject(target)) return withoutNulls(patch);
  return isJsonObject(patch) ? mergeObjects(target, patch) : patch;
}

/** Drops the null members of objects, at any depth; null entries of lists stay. */
export function withoutNulls(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(withoutNulls);
  if (!isJsonObject(value)) return value;
  const kept: JsonObjectDraft = {};
  for (const key of Object.keys(value)) {
    const member = value[key] as JsonValue;
    if (member !== null) setOwn(kept, key, withoutNulls(member));
  }
  return kept;
}
