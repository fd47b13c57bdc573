import { DEDUCED, type MergeType } from "../../contract/merge-schema.ts";
import { type FieldSet, type FieldSetNode, fromNodes, makeNode } from "../fieldpath/field-set.ts";
import type { PathElement } from "../fieldpath/path-element.ts";
import { shapeOf } from "./shape.ts";

/**
 * Adds to a set every declared struct field on the path to a member: for `.spec.labels.app` also `.spec` and `.spec.labels`, if these are
 * declared fields. A struct is therefore removed once all its members are removed.
 */
export function withNamedFields(type: MergeType, set: FieldSet): FieldSet {
  let nodes: Map<PathElement, FieldSetNode> | undefined;
  const shape = shapeOf(type, undefined);
  for (const [element, node] of set.nodes) {
    if (node.children === undefined) continue;
    const name = element.startsWith("f:") && shape.kind === "map" ? element.slice(2) : undefined;
    const field = name !== undefined && shape.kind === "map" ? shape.fields.get(name) : undefined;
    const childType = field?.type ?? childTypeOf(shape, element);
    const next = makeNode(node.member || field !== undefined, withNamedFields(childType, node.children), node);
    if (next !== node && next !== undefined) (nodes ??= new Map(set.nodes)).set(element, next);
  }
  return nodes === undefined ? set : fromNodes(nodes);
}

function childTypeOf(shape: ReturnType<typeof shapeOf>, element: PathElement): MergeType {
  if (shape.kind === "map" && element.startsWith("f:")) return shape.element ?? DEDUCED;
  if (shape.kind === "list" && element.startsWith("k:")) return shape.element;
  return DEDUCED;
}
