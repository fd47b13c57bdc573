import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonObjectDraft,
  type JsonValue,
  setOwn,
} from "../../lib/json-object.ts";

/** `$patch: replace | delete`: what to do with the map or list entry that it stands in. */
export const PATCH_DIRECTIVE = "$patch";
/** `$retainKeys: [names]`: the only keys that the live map may keep. */
export const RETAIN_KEYS = "$retainKeys";
/** `$deleteFromPrimitiveList/<field>: [values]` */
export const DELETE_FROM_LIST = "$deleteFromPrimitiveList";
/** `$setElementOrder/<field>: [values or keys]` */
export const SET_ORDER = "$setElementOrder";

export function hasPatchDirective(value: JsonValue | undefined): value is JsonObject {
  return isJsonObject(value) && Object.hasOwn(value, PATCH_DIRECTIVE);
}

/** Whether a list entry is a directive that deletes an entry. */
export function isDeletion(value: JsonValue): boolean {
  return hasPatchDirective(value) && value[PATCH_DIRECTIVE] === "delete";
}

/** The value without the parts that carry a `$patch`; undefined if it carries one itself. */
export function withoutDirectives(value: JsonValue): JsonValue | undefined {
  if (isJsonArray(value)) return value.map(withoutDirectives).filter((item) => item !== undefined);
  if (!isJsonObject(value)) return value;
  if (hasPatchDirective(value)) return undefined;
  const kept: JsonObjectDraft = {};
  for (const key of Object.keys(value)) {
    const member = withoutDirectives(value[key] as JsonValue);
    if (member !== undefined) setOwn(kept, key, member);
  }
  return kept;
}
