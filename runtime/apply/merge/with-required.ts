import type { MergeType } from "../../contract/merge-schema.ts";
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "../../lib/json-object.ts";
import { findItemElement } from "../typed/list-items.ts";

/**
 * A part of an object with the required fields that it lacks, as the whole object has them, so that code which relies on them can convert
 * it. Lists and maps that it lacks are added empty.
 */
export function withRequired(type: MergeType, part: JsonObject, whole: JsonObject): JsonObject {
  return complete(type, part, whole) as JsonObject;
}

function complete(type: MergeType, part: JsonValue, whole: JsonValue | undefined): JsonValue {
  if (type.kind === "map" && type.topology !== "atomic" && isJsonObject(part) && isJsonObject(whole)) {
    const completed: { [key: string]: JsonValue } = {};
    for (const [key, value] of Object.entries(part)) {
      const inner = type.fields.get(key)?.type ?? type.element;
      completed[key] =
        inner === undefined || value === undefined ? (value as JsonValue) : complete(inner, value, whole[key]);
    }
    return { ...completed, ...requiredOf(type, whole, part) };
  }
  if (type.kind !== "list" || type.topology !== "map" || !isJsonArray(part) || !isJsonArray(whole)) return part;
  const items = new Map(whole.map((item) => [findItemElement(type, item), item]));
  return part.map((item) => complete(type.element, item, items.get(findItemElement(type, item))));
}

/** Required fields of an object, without those that another one has. */
function requiredOf(type: MergeType & { kind: "map" }, object: JsonObject, except: JsonObject): JsonObject {
  const found: { [key: string]: JsonValue } = {};
  for (const [name, field] of type.fields) {
    const value = Object.hasOwn(object, name) ? object[name] : undefined;
    if (field.required && value !== undefined && !Object.hasOwn(except, name)) found[name] = outline(field.type, value);
  }
  return found;
}

function outline(type: MergeType, value: JsonValue): JsonValue {
  if (isJsonArray(value)) return [];
  if (type.kind !== "map" || type.topology === "atomic" || !isJsonObject(value)) return value;
  return requiredOf(type, value, {});
}
