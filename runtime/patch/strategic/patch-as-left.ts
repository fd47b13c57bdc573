import type { MergeType } from "../../contract/merge-schema.ts";
import type { Steps } from "../../lib/in-turns.ts";
import {
  copySteps,
  getOwn,
  isJsonArray,
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  MEMBERS_PER_STEP,
  setOwn,
  withoutOwn,
} from "../../lib/json-object.ts";
import { withoutNullsSteps } from "../merge-patch.ts";
import {
  DELETE_FROM_LIST,
  hasPatchDirective,
  isDirectiveKey,
  PATCH_DIRECTIVE,
  withoutDirectives,
} from "./directives.ts";
import type { MergeMaps } from "./merge-list.ts";
import type { FieldMeta } from "./patch-meta.ts";
import { listMeta, mapMeta } from "./patch-meta.ts";
import { elementOrderSteps } from "./set-element-order.ts";
import { createMerger, retainKeys } from "./strategic-merge-patch.ts";

/**
 * The remainder of a strategic merge patch after it was applied: Kubernetes removes directives and nulls from the patch as it applies it,
 * and shows the remainder if the result is not a valid object of its kind. Works in steps between which the caller may pause.
 */
export function* patchAsLeftSteps(
  live: JsonObject,
  patch: JsonObject,
  type: MergeType,
  merger: MergeMaps = createMerger(),
): Steps<JsonObject> {
  const directive = getOwn(patch, PATCH_DIRECTIVE);
  if (directive !== undefined) return directive === "replace" ? withoutOwn(patch, PATCH_DIRECTIVE) : patch;
  const left = yield* copySteps(patch);
  let merged = live;
  let keys = Object.keys(left);
  if (keys.some(isDirectiveKey)) {
    const draft = yield* copySteps(live);
    retainKeys(draft, left);
    yield* elementOrderSteps(draft, left, type, merger);
    merged = draft;
    keys = Object.keys(left);
  }
  let count = 0;
  for (const key of keys) {
    if (++count % MEMBERS_PER_STEP === 0) yield;
    const value = left[key] as JsonValue;
    if (typeof value === "object" && value !== null && !key.startsWith(DELETE_FROM_LIST))
      setOwn(left, key, yield* leftOf(getOwn(merged, key), value, key, type, merger));
  }
  return left;
}

function* leftOf(
  live: JsonValue | undefined,
  value: JsonValue,
  key: string,
  type: MergeType,
  merger: MergeMaps,
): Steps<JsonValue> {
  if (isJsonObject(live) && isJsonObject(value)) {
    const meta = mapMeta(type, key);
    return meta.strategy === "replace" ? value : yield* patchAsLeftSteps(live, value, meta.type, merger);
  }
  if (!isJsonArray(live) || !isJsonArray(value)) return takenOver(yield* withoutNullsSteps(value));
  const meta = listMeta(type, key);
  return meta.strategy === "merge" && meta.mergeKey !== "" ? yield* leftOfList(live, value, meta, merger) : value;
}

/** The remainder of a list: entries that were merged into live ones, and entries into which later ones with the same key were merged. */
function* leftOfList(
  live: JsonArray,
  patch: JsonArray,
  { mergeKey, type }: FieldMeta,
  merger: MergeMaps,
): Steps<JsonArray> {
  if (patch.some((item) => hasPatchDirective(item) && item[PATCH_DIRECTIVE] === "replace")) return patch;
  const keyOf = (item: JsonValue) => (isJsonObject(item) ? getOwn(item, mergeKey) : undefined);
  const deleted = new Set(patch.filter(hasPatchDirective).map(keyOf));
  const found = new Map<JsonValue | undefined, JsonObject>();
  for (const item of live.toReversed()) if (!deleted.has(keyOf(item))) found.set(keyOf(item), item as JsonObject);
  const added = new Map<JsonValue | undefined, number>();
  const merged = new Set<JsonValue | undefined>();
  const left = [...patch];
  for (let index = 0; index < patch.length; index++) {
    if (index % MEMBERS_PER_STEP === MEMBERS_PER_STEP - 1) yield;
    const item = patch[index] as JsonValue;
    if (!isJsonObject(item) || hasPatchDirective(item)) continue;
    const key = keyOf(item);
    const existing = found.get(key);
    if (existing === undefined) {
      found.set(key, item);
      added.set(key, index);
      continue;
    }
    if (merged.has(key)) merger.again(existing);
    merged.add(key);
    left[index] = yield* patchAsLeftSteps(existing, item, type, merger);
    found.set(key, yield* merger(existing, item, type));
    const first = added.get(key);
    if (first !== undefined) left[first] = found.get(key) as JsonObject;
  }
  return left;
}

/** The remainder of a value that was taken unchanged and only then lost its directives: entries of top-level lists keep theirs. */
function takenOver(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(takenOver);
  return hasPatchDirective(value) ? value : (withoutDirectives(value) as JsonValue);
}
