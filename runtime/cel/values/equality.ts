import type { CelType, ListType, StructType } from "../types/cel-type.ts";
import { equalNumbers, numeric } from "./compare.ts";
import { type AnyMap, isMap, mapGet, mapKeys, mapSize, OpaqueValue, Optional, TypeValue } from "./containers.ts";
import { costExceeded } from "./evaluation-error.ts";
import { fromJson, isConverted } from "./json.ts";
import { Duration, Timestamp } from "./time.ts";
import type { Equality } from "./value-set.ts";
import { ValueSet } from "./value-set.ts";

/** Compares two values by their run-time types. Values of different kinds are unequal, except numbers. */
export function equalValues(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" && typeof b !== "object") {
    // Numbers and bigints are compared by value. All other equal values would be identical here.
    const [x, y] = [numeric(a), numeric(b)];
    return x !== undefined && y !== undefined && equalNumbers(x, y);
  }
  const x = numeric(a);
  if (x !== undefined) {
    const y = numeric(b);
    return y !== undefined && equalNumbers(x, y);
  }
  if (Array.isArray(a)) return Array.isArray(b) && equalLists(a, b, equalValues);
  if (isMap(a)) return isMap(b) && equalMaps(a, b, equalValues);
  if (a instanceof Timestamp) return b instanceof Timestamp && a.nanos === b.nanos;
  if (a instanceof Duration) return b instanceof Duration && a.nanos === b.nanos;
  if (a instanceof Uint8Array) return b instanceof Uint8Array && Buffer.compare(a, b) === 0;
  if (a instanceof TypeValue) return b instanceof TypeValue && a.name === b.name;
  if (a instanceof Optional) return b instanceof Optional && equalOptionals(a, b, equalValues);
  if (a instanceof OpaqueValue) return b instanceof OpaqueValue && a.typeName === b.typeName && a.equals(b);
  return false;
}

/** Whether `a == b` is an error: values of libraries can only be compared with values of the same type. */
export function isUncomparable(a: unknown, b: unknown): boolean {
  if (!(a instanceof OpaqueValue) || b === null) return false;
  return !(b instanceof OpaqueValue) || b.typeName !== a.typeName || b.isResult === true;
}

function equalLists(a: readonly unknown[], b: readonly unknown[], equal: Equality): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!equal(a[i], b[i])) return false;
  return true;
}

function equalMaps(a: AnyMap, b: AnyMap, equal: Equality): boolean {
  if (mapSize(a) !== mapSize(b)) return false;
  return mapKeys(a).every((key) => {
    const other = mapGet(b, key);
    return other !== undefined && equal(mapGet(a, key), other);
  });
}

function equalOptionals(a: Optional, b: Optional, equal: Equality): boolean {
  return a.present ? b.present && equal(a.get(), b.get()) : !b.present;
}

const cache = new WeakMap<CelType, Equality>();

/** Returns the equality for values of a static type. It respects the list types of the schema and the meaning of formatted strings. */
export function equalityOf(type: CelType): Equality {
  const known = cache.get(type);
  if (known !== undefined) return known;
  // A recursive type finds this entry, which refers to the final one by the time it is called.
  cache.set(type, (a, b) => equalityOf(type)(a, b));
  const equality = needsType(type, new Set()) ? typedEquality(type) : equalValues;
  cache.set(type, equality);
  return equality;
}

function typedEquality(type: CelType): Equality {
  switch (type.kind) {
    case "list":
      return typedListEquality(type);
    case "map": {
      const equal = equalityOf(type.value);
      return (a, b) => isMap(a) && isMap(b) && equalMaps(a, b, equal);
    }
    case "struct":
      return typedStructEquality(type);
    case "opaque": {
      const equal = equalityOf(type.params[0]!);
      return (a, b) => a instanceof Optional && b instanceof Optional && equalOptionals(a, b, equal);
    }
    default:
      return (a, b) => equalValues(fromJson(a, type), fromJson(b, type));
  }
}

function typedListEquality(type: ListType): Equality {
  const equal = equalityOf(type.element);
  const { topology } = type;
  if (topology === undefined) return (a, b) => Array.isArray(a) && Array.isArray(b) && equalLists(a, b, equal);
  if (topology.type === "set")
    return (a, b) =>
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every(membership(b, a.length, type.element)) &&
      b.every(membership(a, b.length, type.element));
  return (a, b) => {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    const byKey = new Map(b.map((item) => [listMapKey(item, topology.keys), item]));
    return a.every((item) => {
      const other = byKey.get(listMapKey(item, topology.keys));
      return other !== undefined && equal(item, other);
    });
  };
}

/**
 * A membership test for `count` values in a list. Uses a set if the elements can be hashed (plain or converted values); otherwise each
 * value is compared with each element.
 */
export function membership(list: readonly unknown[], count: number, type: CelType): (value: unknown) => boolean {
  const equal = equalityOf(type);
  if (isConverted(type) || !needsType(type, new Set())) {
    const set = new ValueSet(list, equal, (value) => fromJson(value, type));
    return (value) => set.has(value);
  }
  if (count * list.length > MOST_PAIRS) throw costExceeded();
  return (value) => list.some((other) => equal(value, other));
}

/** Limit of pairwise comparisons. Kubernetes' cost model charges only for comparing lists in order. */
const MOST_PAIRS = 10_000_000;

function typedStructEquality(type: StructType): Equality {
  return (a, b) => {
    if (!isMap(a) || !isMap(b) || mapSize(a) !== mapSize(b)) return false;
    return mapKeys(a).every((key) => {
      const other = mapGet(b, key);
      const field = type.property(String(key));
      // Undeclared fields are compared only if both objects have them. A null that counts as absent is equal to nothing.
      if (field === undefined) return other === undefined || equalValues(mapGet(a, key), other);
      if (other === undefined || (other === null && type.nullIsAbsent === true)) return false;
      return equalityOf(field.type)(mapGet(a, key), other);
    });
  };
}

/** Returns the key of an item of a list map. */
export function listMapKey(item: unknown, keys: readonly string[]): string {
  if (!isMap(item)) return JSON.stringify(item);
  return JSON.stringify(keys.map((key) => String(mapGet(item, key))));
}

/** Whether the equality of values depends on their static type. */
function needsType(type: CelType, seen: Set<CelType>): boolean {
  if (seen.has(type)) return false;
  seen.add(type);
  switch (type.kind) {
    case "list":
      return type.topology !== undefined || needsType(type.element, seen);
    case "map":
      return needsType(type.value, seen);
    case "struct":
      return [...type.fields()].some((field) => field.nullable === true || needsType(field.type, seen));
    case "opaque":
      return type.params.some((param) => needsType(param, seen));
    default:
      return isConverted(type);
  }
}
