import type { MergeType } from "../../contract/merge-schema.ts";
import { goString, goValue } from "../../go/format.ts";
import type { Steps } from "../../lib/in-turns.ts";
import {
  copySteps,
  getOwn,
  givenKeysOf,
  isJsonArray,
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonObjectDraft,
  type JsonValue,
  MEMBERS_PER_STEP,
  noteGivenKeys,
  setOwn,
} from "../../lib/json-object.ts";
import { goJsonKind } from "../go-json-kind.ts";
import { withoutNullsSteps } from "../merge-patch.ts";
import { PatchError } from "../patch-error.ts";
import {
  DELETE_FROM_LIST,
  isDirectiveKey,
  PATCH_DIRECTIVE,
  RETAIN_KEYS,
  SET_ORDER,
  withoutDirectivesSteps,
} from "./directives.ts";
import { deleteFromList, type MergeMaps, mergeListsSteps } from "./merge-list.ts";
import { listMeta, mapMeta } from "./patch-meta.ts";
import { elementOrderSteps } from "./set-element-order.ts";

/**
 * Strategic Merge Patch: a merge patch for which the schema determines which lists are merged, and by which key. Null removes a field.
 * Directives (`directives.ts`) express what a plain merge cannot.
 *
 * Neither argument is changed. The result shares the values that the patch does not change. Throws PatchError. Works in steps between which
 * the caller may pause, also while parts of a large object are copied.
 */
export function* strategicMergePatchSteps(
  live: JsonObject,
  patch: JsonValue,
  type: MergeType,
  isLarge = false,
): Steps<JsonObject> {
  if (!isJsonObject(patch)) {
    if (patch === null) return live;
    const expected = "map[string]interface {}";
    throw new PatchError("BadPatch", `json: cannot unmarshal ${goJsonKind(patch)} into Go value of type ${expected}`);
  }
  return yield* createMerger(isLarge)(live, patch, type);
}

/** Maximum number of values, in total, in entries that a patch merges more than once: each merge costs as much as the size of the entry. */
const MOST_MERGED_AGAIN = 500_000;

/** Creates a function that merges maps, and that limits repeated merges of the same entries for one patch. */
export function createMerger(isLarge = false): MergeMaps {
  let left = MOST_MERGED_AGAIN;
  const merge = (live: JsonObject, patch: JsonObject, type: MergeType) => mergeMaps(live, patch, type, merger);
  const again = (entry: JsonObject): void => {
    left -= countValues(entry);
    if (left < 0) throw new PatchError("PatchFailed", "the patch merges the same list entries too often");
  };
  const merger: MergeMaps = Object.assign(merge, { again, isLarge });
  return merger;
}

function countValues(value: JsonValue): number {
  let count = 1;
  if (isJsonArray(value)) for (const item of value) count += countValues(item);
  else if (isJsonObject(value)) for (const key in value) count += countValues(value[key] as JsonValue);
  return count;
}

function* mergeMaps(live: JsonObject, patch: JsonObject, type: MergeType, merger: MergeMaps): Steps<JsonObject> {
  if (Object.hasOwn(patch, PATCH_DIRECTIVE)) return yield* followDirective(patch);
  const known = merger.isLarge ? Object.keys(live) : [];
  const merged = merger.isLarge ? yield* copySteps(live, known) : { ...live };
  let todo = patch;
  let keys = merger.isLarge ? givenKeysOf(patch) : Object.keys(patch);
  if (keys.some(isDirectiveKey)) {
    const rest = yield* copySteps(patch);
    retainKeys(merged, rest);
    yield* elementOrderSteps(merged, rest, type, merger);
    todo = rest;
    keys = Object.keys(rest);
  }
  const added: string[] = [];
  let count = 0;
  let isListed = merger.isLarge && todo === patch;
  for (const key of keys) {
    if (++count % MEMBERS_PER_STEP === 0) yield;
    const value = todo[key] as JsonValue;
    if (value === null) isListed = false;
    else if (isListed && !Object.hasOwn(live, key)) added.push(key);
    if (key.startsWith(DELETE_FROM_LIST)) deleteFromField(merged, deletedField(key), value);
    else if (value === null) delete merged[key];
    else if (typeof value !== "object") setOwn(merged, key, value);
    else {
      const steps = mergeField(getOwn(merged, key), key, value, type, merger);
      const next = steps === undefined ? value : yield* steps;
      if (next === undefined) isListed = false;
      if (next === undefined) delete merged[key];
      else setOwn(merged, key, next);
    }
  }
  if (isListed) noteGivenKeys(merged, known, added);
  return merged;
}

/** Applies a `$patch` directive: replaces a whole map by the rest of the patch, or empties it. */
function* followDirective(patch: JsonObject): Steps<JsonObject> {
  const directive = patch[PATCH_DIRECTIVE] as JsonValue;
  if (directive === "delete") return {};
  if (directive !== "replace")
    throw new PatchError("PatchFailed", `unknown patch type: ${goString(directive)} in map: ${goValue(patch)}`);
  const rest = yield* copySteps(patch);
  delete rest[PATCH_DIRECTIVE];
  return rest;
}

/**
 * Merges a map or list of the patch into the present value; if the result is undefined, the field is removed. Returns undefined if the
 * patch replaces the value.
 */
function mergeField(
  old: JsonValue | undefined,
  key: string,
  value: JsonValue,
  type: MergeType,
  merger: MergeMaps,
): Steps<JsonValue | undefined> | undefined {
  if (isJsonObject(old) && isJsonObject(value)) {
    const meta = mapMeta(type, key);
    return meta.strategy === "replace" ? undefined : merger(old, value, meta.type);
  }
  if (isJsonArray(old) && isJsonArray(value)) {
    const meta = listMeta(type, key);
    return meta.strategy === "merge" ? mergeListsSteps(old, value, meta, merger) : undefined;
  }
  return takeOver(value);
}

/** A value of a new field, or of another type than before: its nulls and directives have nothing to remove and are dropped. */
function* takeOver(value: JsonValue): Steps<JsonValue | undefined> {
  return yield* withoutDirectivesSteps(yield* withoutNullsSteps(value));
}

function deleteFromField(merged: JsonObjectDraft, field: string, values: JsonValue): void {
  const old = getOwn(merged, field);
  if (values === null) delete merged[field];
  else if (isJsonArray(old) && isJsonArray(values)) setOwn(merged, field, deleteFromList(old, values));
}

/** Applies `$retainKeys` and removes it from the patch. Throws PatchError unless all other keys of the patch are among those to retain. */
export function retainKeys(merged: JsonObjectDraft, todo: JsonObjectDraft): void {
  const names = getOwn(todo, RETAIN_KEYS);
  if (names === undefined) return;
  delete todo[RETAIN_KEYS];
  if (!isJsonArray(names)) throw badFormat("retainKeys");
  const retained = new Set<JsonValue>(names as JsonArray);
  for (const key of Object.keys(todo)) {
    const isDirective = key.startsWith(DELETE_FROM_LIST) || key.startsWith(SET_ORDER);
    if (todo[key] !== null && !isDirective && !retained.has(key)) throw badFormat("retainKeys");
  }
  for (const key of Object.keys(merged)) if (!retained.has(key)) delete merged[key];
}

function deletedField(key: string): string {
  if (key.startsWith(`${DELETE_FROM_LIST}/`)) return key.slice(DELETE_FROM_LIST.length + 1);
  throw badFormat("primitive list");
}

function badFormat(what: string): PatchError {
  return new PatchError("BadPatch", `invalid patch format of ${what}`);
}
