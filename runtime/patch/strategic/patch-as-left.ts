import type { MergeType } from "../../contract/merge-schema.ts";
import { atOnce } from "../../lib/in-turns.ts";
import {
  getOwn,
  isJsonArray,
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonObjectDraft,
  type JsonValue,
  setOwn,
} from "../../lib/json-object.ts";
import { withoutNulls } from "../merge-patch.ts";
import { DELETE_FROM_LIST, hasPatchDirective, PATCH_DIRECTIVE, withoutDirectives } from "./directives.ts";
import type { MergeMaps } from "./merge-list.ts";
import type { FieldMeta } from "./patch-meta.ts";
import { listMeta, mapMeta } from "./patch-meta.ts";
import { elementOrderSteps } from "./set-element-order.ts";
import { createMerger, retainKeys } from "./strategic-merge-patch.ts";

/**
 * What is left of a strategic patch once it was applied: Kubernetes takes directives and nulls out of it on the way, and
 * shows the rest when what came of it is no object of its kind.
 */
export function patchAsLeft(
  live: JsonObject,
  patch: JsonObject,
  type: MergeType,
  merger: MergeMaps = createMerger(),
): JsonObject {
  const { [PATCH_DIRECTIVE]: directive, ...others } = patch;
  if (directive !== undefined) return directive === "replace" ? others : patch;
  const merged: JsonObjectDraft = { ...live };
  const left: JsonObjectDraft = { ...patch };
  retainKeys(merged, left);
  atOnce(elementOrderSteps(merged, left, type, merger));
  for (const [key, value] of Object.entries(left)) {
    if (value !== null && !key.startsWith(DELETE_FROM_LIST))
      setOwn(left, key, leftOf(getOwn(merged, key), value, key, type, merger));
  }
  return left;
}

function leftOf(
  live: JsonValue | undefined,
  value: JsonValue,
  key: string,
  type: MergeType,
  merger: MergeMaps,
): JsonValue {
  if (isJsonObject(live) && isJsonObject(value)) {
    const meta = mapMeta(type, key);
    return meta.strategy === "replace" ? value : patchAsLeft(live, value, meta.type, merger);
  }
  if (!isJsonArray(live) || !isJsonArray(value)) return takenOver(withoutNulls(value));
  const meta = listMeta(type, key);
  return meta.strategy === "merge" && meta.mergeKey !== "" ? leftOfList(live, value, meta, merger) : value;
}

/** Entries that were merged into live ones, and entries that later ones of the same key were merged into. */
function leftOfList(live: JsonArray, patch: JsonArray, { mergeKey, type }: FieldMeta, merger: MergeMaps): JsonArray {
  if (patch.some((item) => hasPatchDirective(item) && item[PATCH_DIRECTIVE] === "replace")) return patch;
  const keyOf = (item: JsonValue) => (isJsonObject(item) ? getOwn(item, mergeKey) : undefined);
  const deleted = new Set(patch.filter(hasPatchDirective).map(keyOf));
  const found = new Map<JsonValue | undefined, JsonObject>();
  for (const item of live.toReversed()) if (!deleted.has(keyOf(item))) found.set(keyOf(item), item as JsonObject);
  const added = new Map<JsonValue | undefined, number>();
  const merged = new Set<JsonValue | undefined>();
  const left = [...patch];
  patch.forEach((item, index) => {
    if (!isJsonObject(item) || hasPatchDirective(item)) return;
    const key = keyOf(item);
    const existing = found.get(key);
    if (existing === undefined) {
      found.set(key, item);
      added.set(key, index);
      return;
    }
    if (merged.has(key)) merger.again(existing);
    merged.add(key);
    left[index] = patchAsLeft(existing, item, type, merger);
    found.set(key, atOnce(merger(existing, item, type)));
    const first = added.get(key);
    if (first !== undefined) left[first] = found.get(key) as JsonObject;
  });
  return left;
}

/** What was taken as it is, which only then lost its directives: lists at the top of it keep theirs. */
function takenOver(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(takenOver);
  return hasPatchDirective(value) ? value : (withoutDirectives(value) as JsonValue);
}
