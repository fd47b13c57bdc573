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

/** `$patch: replace | delete`: what to do with the map or list entry that it stands in. */
export const PATCH_DIRECTIVE = "$patch";
/** `$retainKeys: [names]`: the only keys that the live map may keep. */
export const RETAIN_KEYS = "$retainKeys";
/** `$deleteFromPrimitiveList/<field>: [values]` */
export const DELETE_FROM_LIST = "$deleteFromPrimitiveList";
/** `$setElementOrder/<field>: [values or keys]` */
export const SET_ORDER = "$setElementOrder";

/** Whether a key may be one of these; most patches have none. */
export function isDirectiveKey(key: string): boolean {
  return key.startsWith("$");
}

export function hasPatchDirective(value: JsonValue | undefined): value is JsonObject {
  return isJsonObject(value) && Object.hasOwn(value, PATCH_DIRECTIVE);
}

/** Whether a list entry is a directive that deletes an entry. */
export function isDeletion(value: JsonValue): boolean {
  return hasPatchDirective(value) && value[PATCH_DIRECTIVE] === "delete";
}

/** The value without the parts that carry a `$patch`; undefined if it carries one itself. */
export function withoutDirectives(value: JsonValue): JsonValue | undefined {
  return atOnce(withoutDirectivesSteps(value));
}

/** `withoutDirectives`; may be interrupted. */
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
