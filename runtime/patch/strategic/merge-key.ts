import { goString, goType, goValue } from "../../go/format.ts";
import { isJsonObject, type JsonValue } from "../../lib/json-object.ts";
import { PatchError } from "../patch-error.ts";

/** The identity of an entry: the value of its merge key, or the entry itself in a list of scalars. Throws PatchError if the key is missing. */
export function mergeKeyOf(item: JsonValue, mergeKey: string): JsonValue {
  if (mergeKey === "") return item;
  if (!isJsonObject(item)) throw wrongType("map[string]interface {}", item);
  if (!Object.hasOwn(item, mergeKey)) {
    throw new PatchError("PatchFailed", `map: ${goValue(item)} does not contain declared merge key: ${mergeKey}`);
  }
  return item[mergeKey] as JsonValue;
}

/** The error for a value whose type is not that of a directive or of an entry in a list of maps. */
export function wrongType(expected: string, value: JsonValue): PatchError {
  const received = value === null ? goString(value) : goType(value);
  return new PatchError("PatchFailed", `expected a ${expected}, but received a ${received}`);
}
