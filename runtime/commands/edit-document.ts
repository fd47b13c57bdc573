import type { Document, Node } from "yaml";
import { equalJson } from "../lib/equal-json.ts";
import { isJsonObject } from "../lib/json-object.ts";

/**
 * Changes a YAML document so that where it says `old`, at a path in it, it says `value`, touching no more than what differs:
 * comments beside the rest stay.
 */
export function editDocument(
  document: Document,
  path: readonly (string | number)[],
  old: unknown,
  value: unknown,
): void {
  if (equalJson(old, value)) return;
  if (isJsonObject(old) && isJsonObject(value)) {
    for (const key of Object.keys(old)) if (!Object.hasOwn(value, key)) document.deleteIn([...path, key]);
    for (const [key, member] of Object.entries(value)) {
      if (Object.hasOwn(old, key)) editDocument(document, [...path, key], old[key], member);
      else document.setIn([...path, key], document.createNode(member));
    }
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

/** What stands beside and before the old value is about its place, and stays. */
function replaceNode(document: Document, path: readonly (string | number)[], value: unknown): void {
  const old = document.getIn(path, true) as Node | undefined;
  const next = document.createNode(value) as Node;
  if (old?.comment != null) next.comment = old.comment;
  if (old?.commentBefore != null) next.commentBefore = old.commentBefore;
  if (old?.spaceBefore != null) next.spaceBefore = old.spaceBefore;
  document.setIn(path, next);
}
