import type { ListType, MapType, MergeType } from "../../contract/merge-schema.ts";
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
import type { FieldSet, FieldSetNode } from "../fieldpath/field-set.ts";
import { fieldElement } from "../fieldpath/path-element.ts";
import { findItemElement } from "./list-items.ts";
import { shapeOf, typeOfKeyOrDeduced } from "./shape.ts";

/**
 * Only what the paths of the set speak about: the leaves among them with their values, the containers that lead
 * there, and the keys of the list map entries on the way. Undefined if that is nothing.
 */
export function extractItems(type: MergeType, value: JsonValue, paths: FieldSet): JsonValue | undefined {
  const shape = shapeOf(type, value);
  if (shape.kind === "scalar" || shape.topology === "atomic") return value;
  if (shape.kind === "list") return isJsonArray(value) ? extractFromList(shape, value, paths) : undefined;
  return isJsonObject(value) ? extractFromMap(shape, value, paths) : undefined;
}

function extractFromMap(map: MapType, object: JsonObject, paths: FieldSet): JsonValue | undefined {
  const kept: JsonObjectDraft = {};
  for (const key of Object.keys(object)) {
    const node = paths.nodes.get(fieldElement(key));
    const rest = node && extractNode(typeOfKeyOrDeduced(map, key), object[key] as JsonValue, node);
    if (rest !== undefined) setOwn(kept, key, rest);
  }
  return Object.keys(kept).length === 0 ? undefined : kept;
}

function extractFromList(list: ListType, items: JsonArray, paths: FieldSet): JsonValue | undefined {
  const kept: JsonValue[] = [];
  for (const item of items) {
    const element = findItemElement(list, item);
    const node = element === undefined ? undefined : paths.nodes.get(element);
    const rest = node && extractNode(list.element, item, node);
    if (rest === undefined) continue;
    kept.push(isJsonObject(rest) && isJsonObject(item) ? withKeys(list, item, rest) : rest);
  }
  return kept.length === 0 ? undefined : kept;
}

/** A member without members below it stands for an empty container or a leaf. */
function extractNode(type: MergeType, value: JsonValue, node: FieldSetNode): JsonValue | undefined {
  if (node.children !== undefined) {
    const rest = extractItems(type, value, node.children);
    if (rest !== undefined) return rest;
  }
  if (!node.member) return undefined;
  const shape = shapeOf(type, value);
  if (shape.kind === "scalar" || shape.topology === "atomic" || value === null) return value;
  return shape.kind === "list" ? [] : {};
}

function withKeys(list: ListType, item: JsonObject, rest: JsonObject): JsonObject {
  const complete: JsonObjectDraft = { ...rest };
  for (const key of list.keys) {
    const value = getOwn(item, key);
    if (value !== undefined) setOwn(complete, key, value);
  }
  return complete;
}
