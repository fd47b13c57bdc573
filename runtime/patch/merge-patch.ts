import type { Steps } from "../lib/in-turns.ts";
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

/** `applyMergePatch`, or `applyAnyMergePatch`, to a large object; may be interrupted. */
export function* mergePatchSteps(target: JsonObject, patch: JsonValue, isStrict: boolean): Steps<JsonValue> {
  if (isJsonObject(patch)) return yield* mergeObjectsSteps(target, patch, 0);
  return isStrict ? applyMergePatch(target, patch) : applyAnyMergePatch(target, patch);
}

/** Members that are copied or merged in one step. */
const MEMBERS_PER_STEP = 500;
/** Below, objects are merged in one step. */
const MAX_STEPPED_DEPTH = 12;

function* mergeObjectsSteps(target: JsonObject, patch: JsonObject, depth: number): Steps<JsonObject> {
  const merged: JsonObjectDraft = {};
  let count = 0;
  for (const key of Object.keys(target)) {
    if (++count % MEMBERS_PER_STEP === 0) yield;
    setOwn(merged, key, target[key]);
  }
  for (const key of Object.keys(patch)) {
    if (++count % MEMBERS_PER_STEP === 0) yield;
    const value = patch[key] as JsonValue;
    const old = getOwn(target, key);
    if (value === null) delete merged[key];
    else if (depth < MAX_STEPPED_DEPTH && isJsonObject(old) && isJsonObject(value))
      setOwn(merged, key, yield* mergeObjectsSteps(old, value, depth + 1));
    else setOwn(merged, key, mergeValue(old, value));
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
