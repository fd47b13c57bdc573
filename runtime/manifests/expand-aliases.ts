import type { Document, Node, Pair, YAMLMap } from "yaml";
import { yamlLibrary } from "./yaml-library.ts";

/** Whether the document has aliases. */
export function hasAliases(document: Document): boolean {
  const { visit } = yamlLibrary();
  let found = false;
  visit(document, {
    Alias() {
      found = true;
      return visit.BREAK;
    },
  });
  return found;
}

/** Replaces aliases and merge keys by copies, so that each can be changed independently. */
export function expandAliases(document: Document): void {
  const { visit } = yamlLibrary();
  visit(document, { Alias: (_, alias) => alias.resolve(document)?.clone() as Node | undefined });
  visit(document, { Map: (_, map) => writeMerged(map) });
  visit(document, {
    Value(_, node) {
      delete node.anchor;
    },
  });
}

function writeMerged(map: YAMLMap): void {
  const { isMap, isSeq } = yamlLibrary();
  const merges = map.items.filter(isMerge);
  if (merges.length === 0) return;
  map.items = map.items.filter((pair) => !isMerge(pair));
  for (const { value } of merges) {
    for (const source of isSeq(value) ? value.items : [value]) {
      if (!isMap(source)) continue;
      writeMerged(source);
      for (const pair of source.items) if (!map.has(pair.key)) map.items.push(pair.clone() as Pair<unknown, unknown>);
    }
  }
}

function isMerge({ key }: Pair): boolean {
  const { isScalar } = yamlLibrary();
  return isScalar(key) && key.source === "<<" && key.type === "PLAIN";
}
