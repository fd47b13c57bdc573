import type { MergeType } from "../../contract/merge-schema.ts";
import { type FieldSet, type FieldSetNode, fromNodes, LEAF, makeNode } from "../fieldpath/field-set.ts";
import type { PathElement } from "../fieldpath/path-element.ts";
import { shapeOf, typeOfKey } from "./shape.ts";

/**
 * Adapts a recorded set to the current schema. If a list, map or struct has become atomic, owners of its parts own it as a whole. If one has
 * become granular, nothing changes: the owner keeps the path itself, and the parts have no owner. Returns the same set if it already matches.
 */
export function reconcile(type: MergeType, set: FieldSet): FieldSet {
  let bySet = reconciled.get(type);
  if (bySet === undefined) reconciled.set(type, (bySet = new WeakMap()));
  let result = bySet.get(set);
  if (result === undefined) bySet.set(set, (result = reconcileChildren(type, set)));
  return result;
}

/** Cache of results. Sets and types are immutable, and the same pairs recur with every write to an object. */
const reconciled = new WeakMap<MergeType, WeakMap<FieldSet, FieldSet>>();

function reconcileChildren(type: MergeType, set: FieldSet): FieldSet {
  let nodes: Map<PathElement, FieldSetNode> | undefined;
  for (const [element, node] of set.nodes) {
    const childType = typeAt(type, element);
    if (childType === undefined) continue;
    const next = reconcileNode(childType, node);
    if (next !== node) (nodes ??= new Map(set.nodes)).set(element, next);
  }
  return nodes === undefined ? set : fromNodes(nodes);
}

function reconcileNode(type: MergeType, node: FieldSetNode): FieldSetNode {
  if (node.children === undefined || (type.kind === "untyped" && type.topology === "deduced")) return node;
  const shape = shapeOf(type, undefined);
  if (shape.kind === "scalar") return node;
  if (shape.topology === "atomic") return LEAF;
  return makeNode(node.member, reconcileChildren(type, node.children), node) ?? node;
}

/** Returns the type of an element. Undefined for fields that the schema does not declare, which are not changed. */
function typeAt(type: MergeType, element: PathElement): MergeType | undefined {
  if (type.kind === "list") return type.element;
  if (type.kind === "map") return typeOfKey(type, element.startsWith("f:") ? element.slice(2) : "");
  return undefined;
}
