import { goString, goType, goValue } from "../../go/format.ts";
import { isJsonObject, type JsonValue } from "../../lib/json-object.ts";
import { PatchError } from "../patch-error.ts";

/** What tells an entry apart: the value of its merge key, or the entry itself in a list of scalars. Throws PatchError. */
export function mergeKeyOf(item: JsonValue, mergeKey: string): JsonValue {
  if (mergeKey === "") return item;
  if (!isJsonObject(item)) throw wrongType("map[string]interface {}", item);
  if (!Object.hasOwn(item, mergeKey)) {
    throw new PatchError("PatchFailed", `map: ${goValue(item)} does not contain declared merge key: ${mergeKey}`);
  }
  return item[mergeKey] as JsonValue;
}

/** The error about a value of another type than a directive or a list of maps has. */
export function wrongType(expected: string, value: JsonValue): PatchError {
  const received = value === null ? goString(value) : goType(value);
  return new PatchError("PatchFailed", `expected a ${expected}, but received a ${received}`);
}
