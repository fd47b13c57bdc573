import type { MapType, MergeField } from "../../contract/merge-schema.ts";
import { asGiven } from "../../go/source-notes.ts";
import type { JsonObject, JsonValue } from "../../lib/json-object.ts";

export type Zeros = ReadonlyMap<string, JsonValue>;
export const NO_ZEROS: Zeros = new Map();
const zerosOfType = new WeakMap<MapType, Zeros>();

/** Returns the zero values of the fields that every object of this type has. */
export function alwaysPresentFields(map: MapType): Zeros {
  let zeros = zerosOfType.get(map);
  if (zeros === undefined) {
    const found = new Map<string, JsonValue>();
    for (const [name, field] of map.fields) if (field.alwaysPresent) found.set(name, zeroOf(field));
    zerosOfType.set(map, (zeros = found.size === 0 ? NO_ZEROS : found));
  }
  return zeros;
}

const EMPTY_STRUCT: JsonObject = Object.freeze({});

function zeroOf({ type }: MergeField): JsonValue {
  if (type.kind === "map" && (type.fields.size > 0 || type.name !== undefined)) return EMPTY_STRUCT;
  if (type.kind !== "scalar") return null;
  if (type.of === "string") return "";
  if (type.of === "number") return 0;
  return type.of === "boolean" ? false : null;
}

/** Returns the value of a list that is always written: null if it is missing, or an empty list if the request contained one. */
export function givenOrNull(object: JsonObject | undefined, key: string): JsonValue {
  return asGiven(object, key) ?? null;
}
