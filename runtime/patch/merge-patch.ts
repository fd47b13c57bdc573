import type { Steps } from "../lib/in-turns.ts";
import {
  copySteps,
  getOwn,
  givenKeysOf,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonObjectDraft,
  type JsonValue,
  MEMBERS_PER_STEP,
  noteGivenKeys,
  setOwn,
} from "../lib/json-object.ts";
import { goJsonKind } from "./go-json-kind.ts";
import { PatchError } from "./patch-error.ts";

export const NO_MERGE_PATCH = "Invalid JSON Patch";

/**
 * JSON Merge Patch (RFC 7386): null removes a member, objects are merged, any other value replaces. As in Kubernetes, nulls are dropped
 * from values that are added or that replace anything but an object, even in objects inside lists. Unless `isStrict`, a patch may be a
 * list, which replaces the whole target.
 *
 * Neither argument is changed. The result shares the values that the patch does not change. Throws PatchError. Works in steps between which
 * the caller may pause, also while parts of a large object are copied.
 */
export function* mergePatchSteps(
  target: JsonObject,
  patch: JsonValue,
  { isStrict, isLarge = false }: { readonly isStrict: boolean; readonly isLarge?: boolean },
): Steps<JsonValue> {
  if (isStrict && patch !== null && !isJsonObject(patch)) {
    const kind = goJsonKind(patch);
    const expected = "map[string]interface {}";
    throw new PatchError(
      "BadPatch",
      `error decoding patch: json: cannot unmarshal ${kind} into Go value of type ${expected}`,
    );
  }
  if (isJsonObject(patch)) return yield* mergeObjects(target, patch, isLarge);
  if (isJsonArray(patch)) return yield* withoutNullsSteps(patch);
  throw new PatchError("BadPatch", NO_MERGE_PATCH);
}

function* mergeObjects(target: JsonObject, patch: JsonObject, isLarge: boolean): Steps<JsonObject> {
  const known = isLarge ? Object.keys(target) : [];
  const merged: JsonObjectDraft = isLarge ? yield* copySteps(target, known) : { ...target };
  const added: string[] = [];
  let count = 0;
  let isListed = isLarge;
  for (const key of isLarge ? givenKeysOf(patch) : Object.keys(patch)) {
    if (++count % MEMBERS_PER_STEP === 0) yield;
    const value = patch[key] as JsonValue;
    if (value === null) isListed = false;
    else if (isListed && !Object.hasOwn(target, key)) added.push(key);
    if (value === null) delete merged[key];
    else if (typeof value !== "object") setOwn(merged, key, value);
    else {
      const old = getOwn(target, key);
      if (!isJsonObject(old)) setOwn(merged, key, yield* withoutNullsSteps(value));
      else setOwn(merged, key, isJsonObject(value) ? yield* mergeObjects(old, value, isLarge) : value);
    }
  }
  if (isListed) noteGivenKeys(merged, known, added);
  return merged;
}

/** Drops null members of objects at any depth. Null entries of lists stay. Works in steps between which the caller may pause. */
export function* withoutNullsSteps(value: JsonValue): Steps<JsonValue> {
  let count = 0;
  if (isJsonArray(value)) {
    const items: JsonValue[] = [];
    for (const item of value) {
      if (++count % MEMBERS_PER_STEP === 0) yield;
      items.push(isScalar(item) ? item : yield* withoutNullsSteps(item));
    }
    return items;
  }
  if (!isJsonObject(value)) return value;
  const kept: JsonObjectDraft = {};
  for (const key of Object.keys(value)) {
    if (++count % MEMBERS_PER_STEP === 0) yield;
    const member = value[key] as JsonValue;
    if (member !== null) setOwn(kept, key, isScalar(member) ? member : yield* withoutNullsSteps(member));
  }
  return kept;
}

/** Whether a value is a scalar. False for numbers that the parser keeps as text, which the callers handle further down. */
function isScalar(value: JsonValue): boolean {
  return typeof value !== "object" || value === null;
}
