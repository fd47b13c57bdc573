import type { ListType, MapType, MergeType } from "../../contract/merge-schema.ts";
import type { Steps } from "../../lib/in-turns.ts";
import {
  givenKeysOf,
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
 * Returns the paths that a value sets: its leaves (scalars, atomic parts, nulls, empty maps), each entry of a set or list map, and each key of a
 * map. Declared fields of structs count only through their content.
 *
 * Throws ListItemError for an entry without a key. For repeated entries, only the entry itself counts.
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

/** Values nested more deeply are processed in one step. */
const MAX_STEPPED_DEPTH = 12;

/** Like `toFieldSet`, for a large part of a request; can be interrupted. For small values, `toFieldSet` is faster. */
export function* toFieldSetSteps(type: MergeType, value: JsonValue): Steps<FieldSet> {
  return (yield* contentSteps(type, value, 0))?.children ?? FieldSet.EMPTY;
}

function* contentSteps(type: MergeType, value: JsonValue, depth: number): Steps<FieldSetNode | undefined> {
  const shape = shapeOf(type, value);
  if (shape.kind === "scalar" || shape.topology === "atomic" || depth >= MAX_STEPPED_DEPTH)
    return contentOf(type, value);
  const nodes = new Map<PathElement, FieldSetNode>();
  let count = 0;
  if (shape.kind === "list") {
    if (!isJsonArray(value)) return undefined;
    for (const item of value) {
      if (++count % MEMBERS_PER_STEP === 0) yield;
      const element = itemElement(shape, item);
      const isTwice = nodes.has(element);
      nodes.set(element, isTwice ? LEAF : asMember(yield* contentSteps(shape.element, item, depth + 1)));
    }
  } else {
    if (!isJsonObject(value)) return undefined;
    for (const key of givenKeysOf(value)) {
      if (++count % MEMBERS_PER_STEP === 0) yield;
      const member = value[key] as JsonValue;
      const typeOfMember = typeOfKeyOrDeduced(shape, key);
      const isPlain = typeof member !== "object" || member === null;
      const content = isPlain ? contentOf(typeOfMember, member) : yield* contentSteps(typeOfMember, member, depth + 1);
      setField(nodes, shape, key, member, content);
    }
  }
  return makeNode(false, fromNodes(nodes));
}

function fieldsOf(map: MapType, object: JsonObject): FieldSet {
  const nodes = new Map<PathElement, FieldSetNode>();
  for (const key of Object.keys(object)) {
    const value = object[key] as JsonValue;
    setField(nodes, map, key, value, contentOf(typeOfKeyOrDeduced(map, key), value));
  }
  return fromNodes(nodes);
}

function setField(
  nodes: Map<PathElement, FieldSetNode>,
  map: MapType,
  key: string,
  value: JsonValue,
  content: FieldSetNode | undefined,
): void {
  const node = isEmptyLeaf(value) || !map.fields.has(key) ? asMember(content) : content;
  if (node !== undefined) nodes.set(fieldElement(key), node);
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
