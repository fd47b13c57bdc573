import { FieldSet, type FieldSetNode, fromNodes, makeNode } from "./field-set.ts";
import type { Path } from "./path.ts";
import type { PathElement } from "./path-element.ts";

/** Narrows a set to the paths that a request may own. */
export type FieldFilter = (set: FieldSet) => FieldSet;

/** Drops the given paths and everything below them. */
export function excludeFields(...paths: readonly Path[]): FieldFilter {
  const excluded = FieldSet.of(...paths);
  return (set) => set.recursiveDifference(excluded);
}

/** Matches every element at its level. */
export const ANY_ELEMENT = "*";

/**
 * Keeps only what is at or below one of the patterns, and the paths that lead there. A pattern is a path in which
 * `ANY_ELEMENT` stands for any element.
 */
export function keepFields(...patterns: readonly Path[]): FieldFilter {
  return (set) => keep(set, patterns);
}

function keep(set: FieldSet, patterns: readonly Path[]): FieldSet {
  if (patterns.some((pattern) => pattern.length === 0)) return set;
  const nodes = new Map<PathElement, FieldSetNode>();
  for (const [element, node] of set.nodes) {
    const rests = patterns
      .filter((pattern) => pattern[0] === ANY_ELEMENT || pattern[0] === element)
      .map((pattern) => pattern.slice(1));
    if (rests.length === 0) continue;
    const kept = makeNode(node.member, node.children && keep(node.children, rests), node);
    if (kept !== undefined) nodes.set(element, kept);
  }
  return fromNodes(nodes);
}
