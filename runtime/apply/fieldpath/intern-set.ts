import { FieldSet, type FieldSetNode, fromNodes } from "./field-set.ts";
import type { PathElement } from "./path-element.ts";

/** Sets larger than this at one level are rarely met twice. */
const MAX_NODES = 64;
/** How many sets are remembered before all are forgotten. */
const MAX_SETS = 1024;

const known = new Map<string, FieldSet>();
let lastNumber = 0;

/**
 * The set of these nodes; the very one that was made of equal nodes before, as far as that is remembered. Objects of a
 * kind resemble each other, and what is worked out about one set (how it prints, what the schema makes of it) then
 * serves them all.
 */
export function internSet(nodes: ReadonlyMap<PathElement, FieldSetNode>): FieldSet {
  const key = keyOf(nodes);
  if (key === undefined) return fromNodes(nodes);
  let set = known.get(key);
  if (set === undefined) {
    set = fromNodes(nodes);
    if (set !== FieldSet.EMPTY) set.number = ++lastNumber;
    if (known.size >= MAX_SETS) known.clear();
    known.set(key, set);
  }
  return set;
}

/** The very set that was met before with the same paths, as far as that is remembered. */
export function internWhole(set: FieldSet): FieldSet {
  if (set.number !== 0 || set.isEmpty) return set;
  const nodes = new Map<PathElement, FieldSetNode>();
  for (const [element, node] of set.nodes) {
    const children = node.children && internWhole(node.children);
    nodes.set(element, children === node.children ? node : { member: node.member, children });
  }
  return internSet(nodes);
}

/** Tells sets apart, given that the sets below are interned; undefined when one of them is not. */
function keyOf(nodes: ReadonlyMap<PathElement, FieldSetNode>): string | undefined {
  if (nodes.size > MAX_NODES) return undefined;
  let key = "";
  for (const [element, { member, children }] of nodes) {
    const below = children === undefined ? -1 : children.number;
    if (below === 0) return undefined;
    // The length says where an element ends, whatever it holds; the comma where the number before the next length ends.
    key += `${element.length}:${element}${member ? "!" : "?"}${below},`;
  }
  return key;
}
