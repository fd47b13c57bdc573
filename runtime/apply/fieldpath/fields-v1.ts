import type { Steps } from "../../lib/in-turns.ts";
import {
  isJsonObject,
  type JsonObject,
  type JsonObjectDraft,
  type JsonValue,
  keysOf,
  MANY_KEYS,
  noteSortedKeys,
  setOwn,
} from "../../lib/json-object.ts";
import { sortElements, sortElementsSteps } from "./element-order.ts";
import { FieldSet, type FieldSetNode, LEAF, makeNode } from "./field-set.ts";
import { internSet } from "./intern-set.ts";
import { canonicalElement, type PathElement, PathElementError } from "./path-element.ts";

/**
 * FieldsV1, the serialized form of field sets:
 *
 *     {"f:metadata":{"f:labels":{".":{},"f:app":{}}}}
 *
 * An empty object ends a path. `.` means that the path up to here belongs to the set too.
 */

/** Cache of parsed sets by JSON: most objects of a kind have the same owners of the same fields. */
const setOfText = new Map<string, FieldSet>();
const MAX_TEXTS = 512;
const MAX_TEXT_LENGTH = 8192;

/** Cache by identity, which needs no JSON for a hit: objects from the store share these values and never change them. */
const setOfFields = new WeakMap<JsonObject, FieldSet>();

/**
 * Parses FieldsV1. Throws PathElementError. Ignores elements of an unknown kind, as Kubernetes does. Values that are probably large are not
 * looked up by their JSON.
 */
export function fieldsV1ToSet(fields: JsonObject, isLarge = false): FieldSet {
  let set = setOfFields.get(fields);
  if (set === undefined) setOfFields.set(fields, (set = isLarge ? parseSet(fields) : setOfTextOf(fields)));
  return set;
}

function setOfTextOf(fields: JsonObject): FieldSet {
  if (lengthLeft(fields, MAX_TEXT_LENGTH) < 0) return parseSet(fields);
  const text = textOf(fields);
  if (text === undefined) return parseSet(fields);
  let set = setOfText.get(text);
  if (set === undefined) {
    set = parseSet(fields);
    if (setOfText.size >= MAX_TEXTS) setOfText.clear();
    setOfText.set(text, set);
  }
  return set;
}

/** Subtracts the estimated length of the JSON of fields. Returns a negative number if they are longer, or are not valid fields. */
function lengthLeft(fields: JsonObject, length: number): number {
  let left = length;
  for (const key in fields) {
    const value = fields[key];
    left -= key.length + '"":{},'.length;
    if (left < 0 || !isJsonObject(value)) return -1;
    left = lengthLeft(value, left);
    if (left < 0) return -1;
  }
  return left;
}

/** Returns undefined for values that JSON cannot represent, which are not valid in FieldsV1 either. */
function textOf(fields: JsonObject): string | undefined {
  try {
    return JSON.stringify(fields);
  } catch {
    return undefined;
  }
}

function parseSet(fields: JsonObject): FieldSet {
  return parseFields(fields).children ?? FieldSet.EMPTY;
}

/** Converts a set to FieldsV1 with keys in canonical order. The object is shared: callers must not change it. */
export function setToFieldsV1(set: FieldSet): JsonObject {
  set.printed ??= printFields(set, false);
  return set.printed;
}

/** Whether fields equal the output of `setToFieldsV1` for their set, including the order of keys. */
export function isPrintedForm(fields: JsonObject, set: FieldSet): boolean {
  const printed = setToFieldsV1(set);
  return fields === printed || hasSameText(fields, printed);
}

function hasSameText(fields: JsonValue | undefined, printed: JsonObject): boolean {
  if (!isJsonObject(fields)) return false;
  const keys = keysOf(fields);
  const wanted = keysOf(printed);
  return (
    keys.length === wanted.length &&
    keys.every((key, index) => key === wanted[index] && hasSameText(fields[key], printed[key] as JsonObject))
  );
}

function parseFields(value: JsonValue | undefined): FieldSetNode {
  if (!isJsonObject(value)) throw new PathElementError("expected an object of fields");
  let member = false;
  const nodes = new Map<PathElement, FieldSetNode>();
  for (const key in value) {
    if (key === ".") {
      member = true;
      continue;
    }
    const element = elementOf(key);
    if (element === undefined) continue;
    const node = parseFields(value[key]);
    const twin = nodes.get(element);
    nodes.set(element, twin === undefined ? node : mergeTwins(twin, node));
  }
  if (nodes.size === 0) return LEAF;
  return { member, children: internSet(nodes) };
}

/** Parses a large set, so that `fieldsV1ToSet` of the same object is fast; can be interrupted. Throws PathElementError. */
export function* prepareSetSteps(fields: JsonObject): Steps<void> {
  if (setOfFields.has(fields)) return;
  const { children } = yield* parseFieldsSteps(fields, 0);
  setOfFields.set(fields, children ?? FieldSet.EMPTY);
}

/** Fields nested more deeply are parsed in one step. */
const MAX_STEPPED_DEPTH = 12;

function* parseFieldsSteps(value: JsonObject, depth: number): Steps<FieldSetNode> {
  let member = false;
  const nodes = new Map<PathElement, FieldSetNode>();
  let count = 0;
  for (const key of keysOf(value)) {
    if (++count % ELEMENTS_PER_STEP === 0) yield;
    if (key === ".") {
      member = true;
      continue;
    }
    const element = elementOf(key);
    if (element === undefined) continue;
    const below = value[key];
    const isStepped = depth < MAX_STEPPED_DEPTH && isJsonObject(below) && !isLeaf(below);
    const node = isStepped ? yield* parseFieldsSteps(below, depth + 1) : parseFields(below);
    const twin = nodes.get(element);
    nodes.set(element, twin === undefined ? node : mergeTwins(twin, node));
  }
  if (nodes.size === 0) return LEAF;
  yield;
  return { member, children: internSet(nodes) };
}

function isLeaf(fields: JsonObject): boolean {
  for (const _key in fields) return false;
  return true;
}

function elementOf(key: string): PathElement | undefined {
  try {
    return canonicalElement(key);
  } catch (error) {
    if (error instanceof PathElementError && error.unknown) return undefined;
    throw error;
  }
}

/** Unites the nodes of one element that was written in two different forms. */
function mergeTwins(a: FieldSetNode, b: FieldSetNode): FieldSetNode {
  const children = (a.children ?? FieldSet.EMPTY).union(b.children ?? FieldSet.EMPTY);
  return makeNode(a.member || b.member, children) ?? a;
}

/** Number of elements of a set that are printed in one step. */
const ELEMENTS_PER_STEP = 2000;
const EMPTY_FIELDS: JsonObject = Object.freeze({});

function printFields(set: FieldSet, self: boolean): JsonObject {
  const fields: JsonObjectDraft = {};
  if (self) fields["."] = EMPTY_FIELDS;
  for (const element of sortElements(set.nodes.keys())) {
    const node = set.nodes.get(element) as FieldSetNode;
    setOwn(fields, element, printNode(node));
  }
  return fields;
}

/** Like `setToFieldsV1`, for a large set; can be interrupted. */
export function* setToFieldsV1Steps(set: FieldSet): Steps<JsonObject> {
  set.printed ??= yield* printFieldsSteps(set, false);
  return set.printed;
}

function* printFieldsSteps(set: FieldSet, self: boolean): Steps<JsonObject> {
  const fields: JsonObjectDraft = {};
  if (self) fields["."] = EMPTY_FIELDS;
  const elements = yield* sortElementsSteps(set.nodes.keys());
  yield;
  for (let i = 0; i < elements.length; i++) {
    if (i % ELEMENTS_PER_STEP === ELEMENTS_PER_STEP - 1) yield;
    const element = elements[i] as PathElement;
    const { member, children } = set.nodes.get(element) as FieldSetNode;
    let printed = EMPTY_FIELDS;
    if (children !== undefined && !member) printed = yield* setToFieldsV1Steps(children);
    else if (children !== undefined) printed = children.printedAsMember ??= yield* printFieldsSteps(children, true);
    setOwn(fields, element, printed);
  }
  if (elements.length >= MANY_KEYS) noteSortedKeys(fields, self ? [".", ...elements] : elements);
  return fields;
}

function printNode({ member, children }: FieldSetNode): JsonObject {
  if (children === undefined) return EMPTY_FIELDS;
  if (!member) return setToFieldsV1(children);
  children.printedAsMember ??= printFields(children, true);
  return children.printedAsMember;
}
