import type { CelType, MapType } from "../types/cel-type.ts";
import { type AnyMap, isMap, mapGet, mapKeys, OpaqueValue, Optional, TypeValue } from "./containers.ts";
import { Double, Uint } from "./numbers.ts";
import { Duration, Timestamp } from "./time.ts";

/** The kinds of values whose static type is dyn, as distinguished at run time. */
export type ValueKind =
  | "bool"
  | "int"
  | "uint"
  | "double"
  | "string"
  | "bytes"
  | "null"
  | "timestamp"
  | "duration"
  | "list"
  | "map"
  | "type"
  | "opaque"
  | "unknown";

export function kindOfValue(value: unknown): ValueKind {
  switch (typeof value) {
    case "boolean":
      return "bool";
    case "number":
      return Number.isInteger(value) ? "int" : "double";
    case "bigint":
      return "int";
    case "string":
      return "string";
    case "object":
      return value === null ? "null" : kindOfObject(value);
    default:
      return "unknown";
  }
}

function kindOfObject(value: object): ValueKind {
  if (Array.isArray(value)) return "list";
  if (value instanceof Uint) return "uint";
  if (value instanceof Double) return "double";
  if (value instanceof Uint8Array) return "bytes";
  if (value instanceof Timestamp) return "timestamp";
  if (value instanceof Duration) return "duration";
  if (value instanceof TypeValue) return "type";
  if (value instanceof Optional || value instanceof OpaqueValue) return "opaque";
  return isMap(value) ? "map" : "unknown";
}

/** Names of types as values, if they differ from the notation of the types. */
const TYPE_NAMES: Partial<Record<ValueKind, string>> = {
  null: "null_type",
  timestamp: "google.protobuf.Timestamp",
  duration: "google.protobuf.Duration",
};

/** Returns the name of the type of a value whose static type is dyn. */
export function typeNameOf(value: unknown): string {
  if (value instanceof Optional) return "optional_type";
  if (value instanceof OpaqueValue) return value.typeName;
  const kind = kindOfValue(value);
  return TYPE_NAMES[kind] ?? kind;
}

/** Returns the name of a static type as a value. */
export function typeNameOfType(type: CelType): string {
  if (type.kind === "struct" || type.kind === "opaque") return type.name;
  return TYPE_NAMES[type.kind as ValueKind] ?? type.kind;
}

/** Whether a value whose static type is dyn matches a parameter. Of a list or map, only the first element is checked. */
export function fits(value: unknown, type: CelType): boolean {
  switch (type.kind) {
    case "dyn":
    case "param":
    case "error":
      return true;
    case "struct":
      return kindOfValue(value) === "map";
    case "opaque":
      return typeNameOf(value) === type.name;
    case "list":
      return Array.isArray(value) && (value.length === 0 || fits(value[0], type.element));
    case "map":
      return isMap(value) && firstEntryFits(value, type);
    default:
      return kindOfValue(value) === type.kind;
  }
}

function firstEntryFits(map: AnyMap, { key, value }: MapType): boolean {
  if (isAnything(key) && isAnything(value)) return true;
  const [first] = mapKeys(map);
  return first === undefined || (fits(first, key) && fits(mapGet(map, first), value));
}

const isAnything = ({ kind }: CelType): boolean => kind === "dyn" || kind === "param";

/** Names of the Go types of values, for the only message that contains them. */
const GO_NAMES: Partial<Record<ValueKind, string>> = {
  bool: "types.Bool",
  int: "types.Int",
  uint: "types.Uint",
  double: "types.Double",
  string: "types.String",
  bytes: "types.Bytes",
  null: "types.Null",
  timestamp: "types.Timestamp",
  duration: "types.Duration",
  type: "*types.Type",
};

export function goTypeName(value: unknown): string {
  if (value instanceof Optional) return "*types.Optional";
  return GO_NAMES[kindOfValue(value)] ?? typeNameOf(value);
}
