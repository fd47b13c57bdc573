import type { MergeType } from "../../contract/merge-schema.ts";
import { type FieldSet, type FieldSetNode, fromNodes, LEAF, makeNode } from "../fieldpath/field-set.ts";
import type { PathElement } from "../fieldpath/path-element.ts";
import { shapeOf, typeOfKey } from "./shape.ts";

/**
 * Adapts a recorded set to the current schema. Where a list, map or struct has become atomic, its owners
 * by parts own it as a whole. Where one has become granular nothing is done: the owner keeps the top, and the parts
 * have no owner. Returns the same set if it already fits.
 */
export function reconcile(type: MergeType, set: FieldSet): FieldSet {
  let bySet = reconciled.get(type);
  if (bySet === undefined) reconciled.set(type, (bySet = new WeakMap()));
  let result = bySet.get(set);
  if (result === undefined) bySet.set(set, (result = reconcileChildren(type, set)));
  return result;
}

/** Sets and types are immutable, and the same pairs come back with every write to an object. */
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

/** Fields that the schema does not know are left as they are. */
function typeAt(type: MergeType, element: PathElement): MergeType | undefined {
  if (type.kind === "list") return type.element;
  if (type.kind === "map") return typeOfKey(type, element.startsWith("f:") ? element.slice(2) : "");
  return undefined;
}
