import { FieldSet, type FieldSetNode, fromNodes } from "./field-set.ts";
import type { PathElement } from "./path-element.ts";

/** Sets with more nodes than this at one level are not cached, because they rarely repeat. */
const MAX_NODES = 64;
/** Sets with a longer cache key are not cached: a name may be as long as a request. */
const MAX_KEY_LENGTH = 8192;
/** Number of cached sets at which the cache is cleared. */
const MAX_SETS = 1024;

const known = new Map<string, FieldSet>();
let lastNumber = 0;

/**
 * Returns a set of these nodes: the cached set if one has equal nodes. Objects of a kind are similar, so results that are cached per set (its
 * FieldsV1 form, its form under the schema) serve all of them.
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

/** Interns a set and its child sets, if they are small enough. Returns the cached set with the same paths if there is one. */
export function internWhole(set: FieldSet): FieldSet {
  if (set.number !== 0 || set.isEmpty || set.nodes.size > MAX_NODES) return set;
  const nodes = new Map<PathElement, FieldSetNode>();
  for (const [element, node] of set.nodes) {
    const children = node.children && internWhole(node.children);
    nodes.set(element, children === node.children ? node : { member: node.member, children });
  }
  return internSet(nodes);
}

/** Returns the cache key of a set whose child sets are interned. Undefined if one of them is not, or if the set is too large. */
function keyOf(nodes: ReadonlyMap<PathElement, FieldSetNode>): string | undefined {
  if (nodes.size > MAX_NODES) return undefined;
  let key = "";
  for (const [element, { member, children }] of nodes) {
    const below = children === undefined ? -1 : children.number;
    if (below === 0) return undefined;
    if (key.length + element.length > MAX_KEY_LENGTH) return undefined;
    // The length prefix of each element avoids escaping. The comma separates the number from the next length.
    key += `${element.length}:${element}${member ? "!" : "?"}${below},`;
  }
  return key;
}
