import type { Document, Node, Pair, YAMLMap } from "yaml";
import { equalJson } from "../lib/equal-json.ts";
import { isJsonObject, type JsonObject } from "../lib/json-object.ts";
import { yamlLibrary } from "./yaml-library.ts";

type Path = readonly (string | number)[];

/**
 * Replaces `old` by `value` at a path of a YAML document and modifies only differing parts: comments of unchanged parts are kept, and those of
 * renamed or moved parts move with them. The path must not contain aliases.
 */
export function editDocument(document: Document, path: Path, old: unknown, value: unknown): void {
  if (equalJson(old, value)) return;
  if (isJsonObject(old) && isJsonObject(value)) {
    editMap(document, path, old, value);
    return;
  }
  if (Array.isArray(old) && Array.isArray(value) && old.length === value.length) {
    value.forEach((item, index) => {
      editDocument(document, [...path, index], old[index], item);
    });
    return;
  }
  replaceNode(document, path, value);
}

function editMap(document: Document, path: Path, old: JsonObject, value: JsonObject): void {
  const removed = Object.keys(old).filter((key) => !Object.hasOwn(value, key));
  const added = Object.keys(value).filter((key) => !Object.hasOwn(old, key));
  const [from, to] = [removed[0], added[0]];
  if (removed.length === 1 && added.length === 1 && from !== undefined && to !== undefined) {
    rename(mapAt(document, path), from, to);
    editDocument(document, [...path, to], old[from], value[to]);
  } else {
    replaceMembers(document, path, removed, new Map(added.map((key) => [key, value[key]])));
  }
  for (const [key, member] of Object.entries(value))
    if (Object.hasOwn(old, key)) editDocument(document, [...path, key], old[key], member);
}

/** Replaces removed keys by new ones. The first new key gets all comments of the removed ones. */
function replaceMembers(document: Document, path: Path, removed: readonly string[], added: Map<string, unknown>): void {
  const map = mapAt(document, path);
  const gone = removed.map((key) => pairOf(map, key)).filter((pair) => pair !== undefined);
  const pairs = [...added].map(([key, member]) => document.createPair(key, member));
  const [first] = pairs;
  const comments = gone.flatMap(commentsIn);
  if (first !== undefined && comments.length > 0) (first.key as Node).commentBefore = comments.join("\n");
  const place = gone[0] === undefined ? map.items.length : map.items.indexOf(gone[0]);
  map.items.splice(place, 0, ...pairs);
  map.items = map.items.filter((pair) => !gone.includes(pair));
}

function rename(map: YAMLMap, from: string, to: string): void {
  const key = pairOf(map, from)?.key;
  const { isScalar } = yamlLibrary();
  if (isScalar(key)) key.value = to;
}

function mapAt(document: Document, path: Path): YAMLMap {
  return (path.length === 0 ? document.contents : document.getIn(path, true)) as YAMLMap;
}

function pairOf(map: YAMLMap, key: string): Pair | undefined {
  const { isScalar } = yamlLibrary();
  return map.items.find((pair) => (isScalar(pair.key) ? String(pair.key.value) : String(pair.key)) === key);
}

function commentsIn(pair: Pair): string[] {
  const comments: string[] = [];
  const { isNode, visit } = yamlLibrary();
  const note = (node: { comment?: string | null; commentBefore?: string | null }): void => {
    for (const comment of [node.commentBefore, node.comment]) if (comment != null) comments.push(comment);
  };
  for (const part of [pair.key, pair.value]) if (isNode(part)) visit(part, { Node: (_, node) => note(node) });
  return comments;
}

/** Replaces a node. Keeps the comments before and beside it. */
function replaceNode(document: Document, path: Path, value: unknown): void {
  const old = document.getIn(path, true) as Node | undefined;
  const next = document.createNode(value) as Node;
  if (old?.comment != null) next.comment = old.comment;
  if (old?.commentBefore != null) next.commentBefore = old.commentBefore;
  if (old?.spaceBefore != null) next.spaceBefore = old.spaceBefore;
  document.setIn(path, next);
}
