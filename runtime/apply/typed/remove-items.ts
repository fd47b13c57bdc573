import type { ListType, MapType, MergeType } from "../../contract/merge-schema.ts";
import {
  isJsonArray,
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonObjectDraft,
  type JsonValue,
  setOwn,
} from "../../lib/json-object.ts";
import { FieldSet } from "../fieldpath/field-set.ts";
import { fieldElement } from "../fieldpath/path-element.ts";
import { findItemElement } from "./list-items.ts";
import { shapeOf, typeOfKeyOrDeduced } from "./shape.ts";

/**
 * Returns a value without the paths of the set and everything below them. A container that loses its last part becomes null, and so does an
 * atomic part of which something is removed. Untouched parts are shared with the input.
 */
export function removeItems(type: MergeType, value: JsonValue, paths: FieldSet): JsonValue {
  if (paths.isEmpty) return value;
  const shape = shapeOf(type, value);
  if (shape.kind === "scalar") return value;
  if (shape.kind === "list") {
    if (!isJsonArray(value) || value.length === 0 || shape.topology === "atomic") return null;
    return removeFromList(shape, value, paths);
  }
  if (!isJsonObject(value) || shape.topology === "atomic") return null;
  return removeFromMap(shape, value, paths);
}

function removeFromMap(map: MapType, object: JsonObject, paths: FieldSet): JsonValue {
  const kept: JsonObjectDraft = {};
  let count = 0;
  let changed = false;
  for (const key of Object.keys(object)) {
    const value = object[key] as JsonValue;
    const node = paths.nodes.get(fieldElement(key));
    if (node?.member) {
      changed = true;
      continue;
    }
    const rest = removeItems(typeOfKeyOrDeduced(map, key), value, node?.children ?? FieldSet.EMPTY);
    if (rest !== value) changed = true;
    setOwn(kept, key, rest);
    count++;
  }
  if (count === 0) return null;
  return changed ? kept : object;
}

function removeFromList(list: ListType, items: JsonArray, paths: FieldSet): JsonValue {
  const kept: JsonValue[] = [];
  let changed = false;
  for (const item of items) {
    const element = findItemElement(list, item);
    const node = element === undefined ? undefined : paths.nodes.get(element);
    if (node?.member) {
      changed = true;
      continue;
    }
    const rest = removeItems(list.element, item, node?.children ?? FieldSet.EMPTY);
    if (rest !== item) changed = true;
    kept.push(rest);
  }
  if (kept.length === 0) return null;
  return changed ? kept : items;
}
