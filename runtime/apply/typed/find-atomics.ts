import type { MergeType } from "../../contract/merge-schema.ts";
import { isJsonArray, isJsonObject, type JsonValue } from "../../lib/json-object.ts";
import { fieldElement, indexElement, type PathElement, printElement } from "../fieldpath/path-element.ts";
import { shapeOf } from "./shape.ts";

/** Returns the paths of atomic maps and lists in a configuration. Applying one of them replaces all of its content. */
export function findAtomics(type: MergeType, value: JsonValue, path: readonly PathElement[] = []): string[] {
  const shape = shapeOf(type, value);
  if (shape.kind === "scalar") return [];
  const found = shape.topology === "atomic" ? [path.map((element) => printElement(element)).join("")] : [];
  if (shape.kind === "list") {
    if (!isJsonArray(value)) return [];
    const below = value.flatMap((item, index) => findAtomics(shape.element, item, [...path, indexElement(index)]));
    return [...found, ...below];
  }
  if (!isJsonObject(value)) return [];
  const below = Object.entries(value).flatMap(([key, item]) => {
    const field = shape.fields.get(key);
    return field === undefined ? [] : findAtomics(field.type, item, [...path, fieldElement(key)]);
  });
  return [...found, ...below];
}
