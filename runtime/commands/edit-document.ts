import type { Document } from "yaml";
import { equalJson } from "../lib/equal-json.ts";
import { isJsonObject } from "../lib/json-object.ts";

/** Changes a YAML document so that it says `value`, touching no more than what differs: comments beside the rest stay. */
export function editDocument(document: Document, value: unknown): void {
  edit(document, [], document.toJS(), value);
}

function edit(document: Document, path: readonly (string | number)[], old: unknown, value: unknown): void {
  if (equalJson(old, value)) return;
  if (isJsonObject(old) && isJsonObject(value)) {
    for (const key of Object.keys(old)) if (!Object.hasOwn(value, key)) document.deleteIn([...path, key]);
    for (const [key, member] of Object.entries(value)) {
      if (Object.hasOwn(old, key)) edit(document, [...path, key], old[key], member);
      else document.setIn([...path, key], document.createNode(member));
    }
    return;
  }
  if (Array.isArray(old) && Array.isArray(value) && old.length === value.length) {
    value.forEach((item, index) => {
      edit(document, [...path, index], old[index], item);
    });
    return;
  }
  document.setIn(path, document.createNode(value));
}
