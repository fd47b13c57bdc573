import { goFloat } from "../../go/float.ts";
import { type AnyMap, isMap, mapAt, mapGet, mapKeys, Optional, requireKey } from "./containers.ts";
import { EvaluationError, invalidArgument, noSuchKey } from "./evaluation-error.ts";
import { goTypeName, typeNameOf } from "./kinds.ts";
import { Double, type Int, toInt, Uint } from "./numbers.ts";

/** Access to parts of values: by index, by name, and by iteration. */

/** Returns the element at an index. Throws if the index is out of bounds. */
export function listAt(list: readonly unknown[], index: number | bigint): unknown {
  const value = list[index as number];
  if (value === undefined || typeof index === "bigint")
    throw new EvaluationError("index_out_of_bounds", `index out of bounds: ${index}`);
  return value;
}

/** Indexes a dyn value by its run-time type. Here, doubles that are whole numbers are valid list indices. */
export function indexDynamic(container: unknown, key: unknown): unknown {
  if (Array.isArray(container)) return listAt(container, listIndex(key));
  if (container instanceof Optional) return indexOptional(container, key);
  if (!isMap(container)) throw noSuchKey(key);
  return mapAt(container, key);
}

const INT_LIMIT = 2n ** 63n;

/** Converts a dyn value to a list index. Throws if it is not a whole number. */
function listIndex(key: unknown): Int {
  if (typeof key === "bigint") return key;
  if (typeof key === "number" || key instanceof Double) {
    const value = Number(key instanceof Double ? key.value : key);
    const isWhole = Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 63;
    if (isWhole) return toInt(BigInt(value));
    throw invalidIndex(goFloat(value));
  }
  if (!(key instanceof Uint)) throw invalidArgument(`unsupported index type '${typeNameOf(key)}' in list`);
  if (key.value < INT_LIMIT) return toInt(key.value);
  throw invalidIndex(String(key));
}

const invalidIndex = (value: string) =>
  new EvaluationError("index_out_of_bounds", `unsupported index value ${value} in list`);

/** `value.name` of a dyn value, by its type at run time. */
export function selectDynamic(value: unknown, name: string): unknown {
  if (isMap(value)) return mapAt(value, name);
  if (value instanceof Optional) return selectOptional(value, name);
  if (Array.isArray(value)) listIndex(name);
  throw noSuchKey(name);
}

/** `has(value.name)` of a dyn value, by its type at run time. */
export function hasDynamic(value: unknown, name: string): boolean {
  if (isMap(value)) return mapGet(value, name) !== undefined;
  if (Array.isArray(value)) listIndex(name);
  return value instanceof Optional && value.present && hasDynamic(value.get(), name);
}

/** Evaluates `value.?name` and `optional.name`. Returns none for values without fields. */
export function selectOptional(value: unknown, name: string): Optional {
  if (value instanceof Optional) return value.present ? selectOptional(value.get(), name) : value;
  if (isMap(value)) return optionalOf(mapGet(value, name));
  if (Array.isArray(value)) listIndex(name);
  return Optional.none;
}

/** Like `selectOptional`, for an object in which null counts as absent. */
export function selectPresent(value: unknown, name: string): Optional {
  const selected = selectOptional(value, name);
  return selected.present && selected.get() === null ? Optional.none : selected;
}

/** Evaluates `value[?key]` and `optional[key]`. Returns none for values without elements. */
export function indexOptional(value: unknown, key: unknown): Optional {
  if (value instanceof Optional) return value.present ? indexOptional(value.get(), key) : value;
  if (Array.isArray(value)) {
    const index = listIndex(key);
    return typeof index === "number" ? optionalOf(value[index]) : Optional.none;
  }
  if (!isMap(value)) return Optional.none;
  requireKey(value, key);
  return optionalOf(mapGet(value, key));
}

function optionalOf(value: unknown): Optional {
  return value === undefined ? Optional.none : Optional.of(value);
}

/** Converts the value within an optional. */
export function mapOptional(optional: Optional, convert: (value: unknown) => unknown): Optional {
  return optional.present ? Optional.of(convert(optional.get())) : optional;
}

/** The values that a comprehension with one variable iterates over. */
export function iterate(range: unknown): readonly unknown[] {
  if (Array.isArray(range)) return range;
  if (isMap(range)) return mapKeys(range);
  throw invalidArgument(`got '${goTypeName(range)}', expected iterable type`);
}

/** The keys that a comprehension with two variables iterates over; the values are read with `valueAt`. */
export function iterateKeys(range: unknown): readonly unknown[] {
  if (Array.isArray(range)) return [...range.keys()];
  if (isMap(range)) return mapKeys(range);
  throw invalidArgument(`unsupported comprehension range type: ${goTypeName(range)}`);
}

export function valueAt(range: unknown, key: unknown): unknown {
  return Array.isArray(range) ? range[key as number] : mapGet(range as AnyMap, key);
}
