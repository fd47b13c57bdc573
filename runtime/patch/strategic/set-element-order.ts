import type { MergeType } from "../../contract/merge-schema.ts";
import { goValue } from "../../go/format.ts";
import type { Steps } from "../../lib/in-turns.ts";
import {
  getOwn,
  isJsonArray,
  isJsonObject,
  type JsonArray,
  type JsonObjectDraft,
  type JsonValue,
  setOwn,
} from "../../lib/json-object.ts";
import { PatchError } from "../patch-error.ts";
import { hasPatchDirective, isDeletion, SET_ORDER, withoutDirectivesSteps } from "./directives.ts";
import { orderItemsSteps } from "./list-order.ts";
import { mergeKeyOf, wrongType } from "./merge-key.ts";
import { elementKind, type MergeMaps, mergeListsSteps } from "./merge-list.ts";
import { type FieldMeta, listMeta } from "./patch-meta.ts";

/**
 * Applies the `$setElementOrder/<field>` directives of a patch together with the lists that they order, and removes both from the patch. A
 * directive must contain every entry of the patch list, in the same order. Works in steps between which the caller may pause.
 */
export function* elementOrderSteps(
  merged: JsonObjectDraft,
  todo: JsonObjectDraft,
  type: MergeType,
  mergeMaps: MergeMaps,
): Steps<void> {
  for (const key of Object.keys(todo)) {
    if (!key.startsWith(SET_ORDER)) continue;
    const order = asList(todo[key] as JsonValue);
    delete todo[key];
    const field = fieldOf(key);
    const live = optionalList(getOwn(merged, field));
    const patch = optionalList(getOwn(todo, field));
    const meta = listMeta(type, field);
    checkOrder(patch ?? [], order, meta.mergeKey);
    const items = yield* mergeItems(live, patch, meta, mergeMaps);
    if (items === undefined) continue;
    elementKind(live ?? [], patch ?? []);
    setOwn(merged, field, yield* orderItemsSteps(items, order, live ?? [], meta.mergeKey));
    delete todo[field];
  }
}

function* mergeItems(
  live: JsonArray | undefined,
  patch: JsonArray | undefined,
  meta: FieldMeta,
  mergeMaps: MergeMaps,
): Steps<JsonArray | undefined> {
  if (patch === undefined) return live;
  if (live === undefined) return (yield* withoutDirectivesSteps(patch)) as JsonArray;
  return meta.strategy === "merge" ? yield* mergeListsSteps(live, patch, meta, mergeMaps) : patch;
}

/**
 * Throws PatchError unless the entries of the patch list appear in the order list, in the same order. Deletions need not appear. As in
 * Kubernetes, other directives are skipped as long as the order list has remaining entries.
 */
function checkOrder(patch: JsonArray, order: JsonArray, mergeKey: string): void {
  if (order.length === 0 || patch.length === 0) return;
  const wrong = mergeKey === "" ? undefined : patch.find((item) => !isJsonObject(item));
  if (wrong !== undefined) throw wrongType("map[string]interface {}", wrong);
  const entries = mergeKey === "" ? patch : patch.filter((item) => !isDeletion(item));
  let found = 0;
  for (const item of order) {
    while (hasPatchDirective(entries[found])) found++;
    const entry = entries[found];
    if (entry === undefined) return;
    if (mergeKeyOf(item, mergeKey) === mergeKeyOf(entry, mergeKey)) found++;
  }
  if (found === entries.length) return;
  const directive = `${SET_ORDER} list:\n${goValue(order)}\n`;
  throw new PatchError("PatchFailed", `The order in patch list:\n${goValue(patch)}\n doesn't match ${directive}`);
}

function fieldOf(key: string): string {
  if (key.startsWith(`${SET_ORDER}/`)) return key.slice(SET_ORDER.length + 1);
  throw new PatchError("BadPatch", "invalid patch format of setElementOrder list");
}

function optionalList(value: JsonValue | undefined): JsonArray | undefined {
  return value === undefined ? undefined : asList(value);
}

function asList(value: JsonValue): JsonArray {
  if (isJsonArray(value)) return value;
  throw wrongType("[]interface {}", value);
}
