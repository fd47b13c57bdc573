import { isJsonObject, type JsonObject, type JsonObjectDraft, type JsonValue, setOwn } from "../../lib/json-object.ts";
import { sortElements } from "./element-order.ts";
import { FieldSet, type FieldSetNode, LEAF, makeNode } from "./field-set.ts";
import { canonicalElement, type PathElement, PathElementError } from "./path-element.ts";

/**
 * FieldsV1, the form in which field sets travel:
 *
 *     {"f:metadata":{"f:labels":{".":{},"f:app":{}}}}
 *
 * An empty object ends a path; `.` says that the path up to here belongs to the set as well.
 */

/** Objects are immutable, so an object and the set it means can be remembered by identity in both directions. */
const setOfFields = new WeakMap<JsonObject, FieldSet>();
const fieldsOfSet = new WeakMap<FieldSet, JsonObject>();

/** Throws PathElementError. Elements of a kind that is not known are left out, as Kubernetes does. */
export function fieldsV1ToSet(fields: JsonObject): FieldSet {
  const known = setOfFields.get(fields);
  if (known !== undefined) return known;
  const set = parseFields(fields)?.children ?? FieldSet.EMPTY;
  setOfFields.set(fields, set);
  return set;
}

/** Keys come out in canonical order. */
export function setToFieldsV1(set: FieldSet): JsonObject {
  const known = fieldsOfSet.get(set);
  if (known !== undefined) return known;
  const fields = printFields(set, false);
  fieldsOfSet.set(set, fields);
  setOfFields.set(fields, set);
  return fields;
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
  return { member, children: new FieldSet(nodes) };
}

function elementOf(key: string): PathElement | undefined {
  try {
    return canonicalElement(key);
  } catch (error) {
    if (error instanceof PathElementError && error.unknown) return undefined;
    throw error;
  }
}

/** Two spellings of one element: the set holds what either says. */
function mergeTwins(a: FieldSetNode, b: FieldSetNode): FieldSetNode {
  const children = (a.children ?? FieldSet.EMPTY).union(b.children ?? FieldSet.EMPTY);
  return makeNode(a.member || b.member, children) ?? a;
}

const EMPTY_FIELDS: JsonObject = Object.freeze({});

function printFields(set: FieldSet, self: boolean): JsonObject {
  const fields: JsonObjectDraft = {};
  if (self) fields["."] = EMPTY_FIELDS;
  for (const element of sortElements(set.nodes.keys())) {
    const node = set.nodes.get(element) as FieldSetNode;
    setOwn(fields, element, node.children === undefined ? EMPTY_FIELDS : printFields(node.children, node.member));
  }
  return fields;
}
