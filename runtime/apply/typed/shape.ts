import {
  DEDUCED,
  type ListType,
  type MapType,
  type MergeType,
  type ScalarType,
  UNTYPED_ATOMIC,
} from "../../contract/merge-schema.ts";
import { isJsonArray, isJsonObject, type JsonValue } from "../../lib/json-object.ts";

/** The type that applies to one value: an untyped part has the shape of the value. */
export type Shape = ScalarType | ListType | MapType;

const ANY_SCALAR: ScalarType = { kind: "scalar", of: "any" };
const NO_FIELDS: MapType["fields"] = new Map();

const DEDUCED_LIST: ListType = { kind: "list", topology: "atomic", keys: [], element: UNTYPED_ATOMIC };
const DEDUCED_MAP: MapType = { kind: "map", topology: "granular", fields: NO_FIELDS, element: DEDUCED };
const ATOMIC_LIST: ListType = { kind: "list", topology: "atomic", keys: [], element: UNTYPED_ATOMIC };
const ATOMIC_MAP: MapType = { kind: "map", topology: "atomic", fields: NO_FIELDS, element: UNTYPED_ATOMIC };

/** Returns the shape of a value. Null and absent values of an untyped part count as maps, as in structured merge. */
export function shapeOf(type: MergeType, value: JsonValue | undefined): Shape {
  if (type.kind !== "untyped") return type;
  if (isJsonArray(value)) return type.topology === "deduced" ? DEDUCED_LIST : ATOMIC_LIST;
  if (value === undefined || value === null || isJsonObject(value)) {
    return type.topology === "deduced" ? DEDUCED_MAP : ATOMIC_MAP;
  }
  return ANY_SCALAR;
}

/** Returns the type of a key of a struct or map: the declared field, otherwise the element type. Undefined if there is neither. */
export function typeOfKey(map: MapType, key: string): MergeType | undefined {
  return map.fields.get(key)?.type ?? map.element;
}

/** Like `typeOfKey`, but accepts keys that are not in the schema: stored objects may have fields of a newer schema. */
export function typeOfKeyOrDeduced(map: MapType, key: string): MergeType {
  return map.fields.get(key)?.type ?? map.element ?? DEDUCED;
}
