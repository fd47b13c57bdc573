import type { ListType, MapType, MergeType } from "../../contract/merge-schema.ts";
import { isJsonArray, isJsonObject, type JsonArray, type JsonObject, type JsonValue } from "../../lib/json-object.ts";
import { FieldSet, type FieldSetNode, fromNodes, LEAF, makeNode } from "../fieldpath/field-set.ts";
import { fieldElement, type PathElement } from "../fieldpath/path-element.ts";
import { itemElement } from "./list-items.ts";
import { shapeOf, typeOfKeyOrDeduced } from "./shape.ts";

/**
 * The paths that a value sets: its leaves (scalars, atomic parts, nulls, empty maps), each entry of a set or list
 * map, and each key of a map. Declared fields of structs count through their content only.
 *
 * Throws ListItemError for an entry without a key; of an entry that occurs several times only the entry itself counts.
 */
export function toFieldSet(type: MergeType, value: JsonValue): FieldSet {
  return contentOf(type, value)?.children ?? FieldSet.EMPTY;
}

function contentOf(type: MergeType, value: JsonValue): FieldSetNode | undefined {
  const shape = shapeOf(type, value);
  if (shape.kind === "scalar" || shape.topology === "atomic") return LEAF;
  if (shape.kind === "list") return isJsonArray(value) ? makeNode(false, itemsOf(shape, value)) : undefined;
  return isJsonObject(value) ? makeNode(false, fieldsOf(shape, value)) : undefined;
}

function fieldsOf(map: MapType, object: JsonObject): FieldSet {
  const nodes = new Map<PathElement, FieldSetNode>();
  for (const key of Object.keys(object)) {
    const value = object[key] as JsonValue;
    const content = contentOf(typeOfKeyOrDeduced(map, key), value);
    const node = isEmptyLeaf(value) || !map.fields.has(key) ? asMember(content) : content;
    if (node !== undefined) nodes.set(fieldElement(key), node);
  }
  return fromNodes(nodes);
}

function itemsOf(list: ListType, items: JsonArray): FieldSet {
  const nodes = new Map<PathElement, FieldSetNode>();
  for (const item of items) {
    const element = itemElement(list, item);
    nodes.set(element, nodes.has(element) ? LEAF : asMember(contentOf(list.element, item)));
  }
  return fromNodes(nodes);
}

function asMember(content: FieldSetNode | undefined): FieldSetNode {
  return makeNode(true, content?.children, content) ?? LEAF;
}

function isEmptyLeaf(value: JsonValue): boolean {
  if (value === null) return true;
  if (!isJsonObject(value)) return false;
  for (const _key in value) return false;
  return true;
}
