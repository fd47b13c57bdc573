import { asGiven, carryNotes } from "../../go/source-notes.ts";
import {
  getObject,
  getOwn,
  isJsonArray,
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  withOwn,
  withoutOwn,
} from "../../lib/json-object.ts";

export function managedFieldsOf(object: JsonObject | undefined): JsonValue | undefined {
  return getOwn(getObject(object, "metadata"), "managedFields");
}

/** Like `managedFieldsOf`, but returns an empty list if the request contains one. */
export function givenManagedFields(object: JsonObject): JsonValue | undefined {
  return asGiven(getObject(object, "metadata"), "managedFields");
}

export function withManagedFields(object: JsonObject, entries: JsonArray): JsonObject {
  const metadata = getObject(object, "metadata");
  if (entries.length === 0 && (metadata === undefined || !Object.hasOwn(metadata, "managedFields"))) return object;
  const changed = withOwn(
    object,
    "metadata",
    entries.length > 0
      ? withOwn(metadata ?? {}, "managedFields", entries)
      : withoutOwn(metadata ?? {}, "managedFields"),
  );
  carryNotes(object, changed);
  return changed;
}

/** Returns the old list if its entries are identical, so that an unchanged object can be detected by identity. */
export function reuseList(entries: JsonArray, known: JsonValue | undefined): JsonArray {
  if (!isJsonArray(known) || known.length !== entries.length) return entries;
  return entries.every((entry, index) => entry === known[index]) ? known : entries;
}

/**
 * Whether entries reset managedFields: an empty list or a single empty entry. A missing list does not, so that clients that do not know the
 * field cannot clear it.
 */
export function isReset(entries: JsonValue | undefined): boolean {
  if (!isJsonArray(entries)) return false;
  const [only] = entries;
  return entries.length === 0 || (entries.length === 1 && isJsonObject(only) && Object.keys(only).length === 0);
}
