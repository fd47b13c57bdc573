import type { ListType, MapType, MergeType } from "../../contract/merge-schema.ts";
import { atOnce, type Steps } from "../../lib/in-turns.ts";
import {
  isJsonArray,
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  MEMBERS_PER_STEP,
} from "../../lib/json-object.ts";
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
  return atOnce(toFieldSetSteps(type, value));
}

/** `toFieldSet`; may be interrupted. */
export function* toFieldSetSteps(type: MergeType, value: JsonValue): Steps<FieldSet> {
  return (yield* contentOf(type, value))?.children ?? FieldSet.EMPTY;
}

function* contentOf(type: MergeType, value: JsonValue): Steps<FieldSetNode | undefined> {
  const shape = shapeOf(type, value);
  if (shape.kind === "scalar" || shape.topology === "atomic") return LEAF;
  if (shape.kind === "list") return isJsonArray(value) ? makeNode(false, yield* itemsOf(shape, value)) : undefined;
  return isJsonObject(value) ? makeNode(false, yield* fieldsOf(shape, value)) : undefined;
}

function* fieldsOf(map: MapType, object: JsonObject): Steps<FieldSet> {
  const nodes = new Map<PathElement, FieldSetNode>();
  let count = 0;
  for (const key of Object.keys(object)) {
    if (++count % MEMBERS_PER_STEP === 0) yield;
    const type = typeOfKeyOrDeduced(map, key);
    if (type.kind === "scalar") {
      nodes.set(fieldElement(key), LEAF);
      continue;
    }
    const value = object[key] as JsonValue;
    const content = yield* contentOf(type, value);
    const node = isEmptyLeaf(value) || !map.fields.has(key) ? asMember(content) : content;
    if (node !== undefined) nodes.set(fieldElement(key), node);
  }
  return fromNodes(nodes);
}

function* itemsOf(list: ListType, items: JsonArray): Steps<FieldSet> {
  const nodes = new Map<PathElement, FieldSetNode>();
  let count = 0;
  for (const item of items) {
    if (++count % MEMBERS_PER_STEP === 0) yield;
    const element = itemElement(list, item);
    nodes.set(element, nodes.has(element) ? LEAF : asMember(yield* contentOf(list.element, item)));
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
