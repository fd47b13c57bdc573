import { goString, goType, goValue } from "../../go/format.ts";
import type { Steps } from "../../lib/in-turns.ts";
import {
  isJsonArray,
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  MEMBERS_PER_STEP,
} from "../../lib/json-object.ts";
import { PatchError } from "../patch-error.ts";
import { hasPatchDirective, PATCH_DIRECTIVE } from "./directives.ts";
import { orderItemsSteps } from "./list-order.ts";
import { mergeKeyOf } from "./merge-key.ts";
import type { FieldMeta } from "./patch-meta.ts";

/** Merges a map into another one of the given type, in steps between which the caller may pause. */
export interface MergeMaps {
  (live: JsonObject, patch: JsonObject, type: FieldMeta["type"]): Steps<JsonObject>;
  /** Called before an entry is merged again because the patch contains it more than once. Throws PatchError if that costs too much. */
  again(entry: JsonObject): void;
  /** Whether maps may be large and are therefore copied in steps. */
  readonly isLarge: boolean;
}

/**
 * Merges a patch list into a live one: scalars by value, maps by merge key. Works in steps between which the caller may pause. Throws
 * PatchError.
 */
export function* mergeListsSteps(
  live: JsonArray,
  patch: JsonArray,
  meta: FieldMeta,
  mergeMaps: MergeMaps,
): Steps<JsonArray> {
  if (live.length === 0 && patch.length === 0) return live;
  if (elementKind(live, patch) !== "map") {
    return yield* orderItemsSteps([...new Set([...live, ...patch])], patch, live, "");
  }
  if (meta.mergeKey === "") throw new PatchError("PatchFailed", "cannot merge lists without merge key for struct");
  const directed = followDirectives(live, patch, meta.mergeKey);
  yield;
  const merged = yield* mergeByKey(directed.live, directed.patch, meta, mergeMaps);
  yield;
  return yield* orderItemsSteps(merged, directed.patch, directed.live, meta.mergeKey);
}

/** Applies `$deleteFromPrimitiveList`: returns the live list without the given values. */
export function deleteFromList(live: JsonArray, values: JsonArray): JsonArray {
  if (live.length === 0 && values.length === 0) return live;
  elementKind(live, values);
  const unwanted = new Set(values);
  return live.filter((item) => !unwanted.has(item));
}

/** The kind of all entries of some lists. Throws PatchError unless all have the same type and none is a list. */
export function elementKind(...lists: readonly JsonArray[]): "map" | "scalar" {
  const [first, ...others] = lists.flat() as JsonValue[];
  if (first === undefined) throw new PatchError("PatchFailed", "no elements in any of the given slices");
  if (isJsonArray(first)) throw new PatchError("PatchNotApplicable", "lists of lists are not supported");
  const type = goType(first);
  if (others.some((item) => goType(item) !== type)) {
    throw new PatchError("PatchFailed", `list element types are not identical: ${goValue(lists as JsonArray)}`);
  }
  return isJsonObject(first) ? "map" : "scalar";
}

/** Applies the `$patch` entries of a list. Returns the patch without them. */
function followDirectives(live: JsonArray, patch: JsonArray, mergeKey: string): { live: JsonArray; patch: JsonArray } {
  const rest: JsonValue[] = [];
  const deleted = new Set<JsonValue>();
  let replace = false;
  for (const item of patch) {
    if (!hasPatchDirective(item)) {
      rest.push(item);
      continue;
    }
    const directive = item[PATCH_DIRECTIVE] as JsonValue;
    if (directive === "delete") deleted.add(mergeKeyOf(item, mergeKey));
    else if (directive === "replace") replace = true;
    else if (directive === "merge") {
      throw new PatchError("PatchFailed", "merging lists cannot yet be specified in the patch");
    } else {
      throw new PatchError("PatchFailed", `unknown patch type: ${goString(directive)} in map: ${goValue(item)}`);
    }
  }
  if (replace) return { live: rest, patch: [] };
  const kept =
    deleted.size === 0 ? live : live.filter((item) => !deleted.has((item as JsonObject)[mergeKey] as JsonValue));
  return { live: kept, patch: rest };
}

/** Merges each patch entry into the first live entry with the same key. Appends entries without a match. */
function* mergeByKey(live: JsonArray, patch: JsonArray, meta: FieldMeta, mergeMaps: MergeMaps): Steps<JsonValue[]> {
  const merged = [...live];
  const position = new Map<JsonValue, number>();
  const touched = new Set<number>();
  live.forEach((item, index) => {
    const key = (item as JsonObject)[meta.mergeKey];
    if (key !== undefined && !position.has(key)) position.set(key, index);
  });
  let count = 0;
  for (const item of patch) {
    if (++count % MEMBERS_PER_STEP === 0) yield;
    const key = mergeKeyOf(item, meta.mergeKey);
    const index = position.get(key);
    if (index === undefined) {
      position.set(key, merged.length);
      merged.push(item);
    } else {
      const entry = merged[index] as JsonObject;
      if (touched.has(index)) mergeMaps.again(entry);
      touched.add(index);
      merged[index] = yield* mergeMaps(entry, item as JsonObject, meta.type);
    }
  }
  return merged;
}
