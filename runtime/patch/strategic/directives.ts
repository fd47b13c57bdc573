import { atOnce, type Steps } from "../../lib/in-turns.ts";
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonObjectDraft,
  type JsonValue,
  MEMBERS_PER_STEP,
  setOwn,
} from "../../lib/json-object.ts";

/** `$patch: replace | delete`: how to change the map or list entry that contains it. */
export const PATCH_DIRECTIVE = "$patch";
/** `$retainKeys: [names]`: the only keys that the live map may keep. */
export const RETAIN_KEYS = "$retainKeys";
/** `$deleteFromPrimitiveList/<field>: [values]`: the values to remove from a list of scalars. */
export const DELETE_FROM_LIST = "$deleteFromPrimitiveList";
/** `$setElementOrder/<field>: [values or keys]`: the order of the merged list. */
export const SET_ORDER = "$setElementOrder";

/** Whether a key may be a directive. Most patches have none. */
export function isDirectiveKey(key: string): boolean {
  return key.startsWith("$");
}

export function hasPatchDirective(value: JsonValue | undefined): value is JsonObject {
  return isJsonObject(value) && Object.hasOwn(value, PATCH_DIRECTIVE);
}

/** Whether a list entry is a directive to delete an entry. */
export function isDeletion(value: JsonValue): boolean {
  return hasPatchDirective(value) && value[PATCH_DIRECTIVE] === "delete";
}

/** The value without all parts that contain a `$patch` directive; undefined if it contains one itself. */
export function withoutDirectives(value: JsonValue): JsonValue | undefined {
  return atOnce(withoutDirectivesSteps(value));
}

/** Like `withoutDirectives`, in steps between which the caller may pause. */
export function* withoutDirectivesSteps(value: JsonValue): Steps<JsonValue | undefined> {
  let count = 0;
  if (isJsonArray(value)) {
    const items: JsonValue[] = [];
    for (const item of value) {
      if (++count % MEMBERS_PER_STEP === 0) yield;
      const kept = typeof item === "object" ? yield* withoutDirectivesSteps(item) : item;
      if (kept !== undefined) items.push(kept);
    }
    return items;
  }
  if (!isJsonObject(value)) return value;
  if (hasPatchDirective(value)) return undefined;
  const kept: JsonObjectDraft = {};
  for (const key of Object.keys(value)) {
    if (++count % MEMBERS_PER_STEP === 0) yield;
    const given = value[key] as JsonValue;
    const member = typeof given === "object" ? yield* withoutDirectivesSteps(given) : given;
    if (member !== undefined) setOwn(kept, key, member);
  }
  return kept;
}
