import type { Alias, Node, Pair, YAMLMap, YAMLSeq } from "yaml";
import { yamlLibrary } from "./yaml-library.ts";

/**
 * What the aliases of a document stand for: each the last node before it that has its anchor. The package looks through the whole
 * document for every single alias; this looks once for all.
 */
export function resolveAliases(contents: unknown): ReadonlyMap<Alias, Node> {
  const { isAlias, isMap, isPair, isSeq, isNode } = yamlLibrary();
  const anchors = new Map<string, Node>();
  const targets = new Map<Alias, Node>();
  const open: unknown[] = [contents];
  while (open.length > 0) {
    const node = open.pop();
    if (isAlias(node)) {
      const target = anchors.get(node.source);
      if (target !== undefined) targets.set(node, target);
    } else if (isPair(node)) {
      open.push((node as Pair).value, (node as Pair).key);
    } else if (isNode(node)) {
      if (node.anchor !== undefined) anchors.set(node.anchor, node);
      if (isMap(node) || isSeq(node)) {
        const { items } = node as YAMLMap | YAMLSeq;
        for (let i = items.length - 1; i >= 0; i--) open.push(items[i]);
      }
    }
  }
  return targets;
}
