import { type AnyMap, isMap, mapAt, mapGet, mapKeys, Optional } from "./containers.ts";
import { EvaluationError, noSuchKey, noSuchOverload } from "./evaluation-error.ts";
import { fromDynamic } from "./json.ts";
import { intFromDouble } from "./numbers.ts";

/** Access to parts of values: by index, by name, and by iteration. */

/** The element at an index. Throws outside of the list. */
export function listAt(list: readonly unknown[], index: number | bigint): unknown {
  const value = list[index as number];
  if (value === undefined || typeof index === "bigint")
    throw new EvaluationError("index_out_of_bounds", `index out of bounds: ${index}`);
  return value;
}

/** Indexing a dyn value, by its type at run time. Whole-valued doubles are valid list indices here. */
export function indexDynamic(container: unknown, key: unknown): unknown {
  if (Array.isArray(container)) {
    if (typeof key === "number" || typeof key === "bigint") {
      if (typeof key === "number" && !Number.isInteger(key)) throw invalidIndex(key);
      return listAt(container, key);
    }
    const number = (key as { value?: unknown } | null)?.value;
    if (typeof number === "bigint") return listAt(container, Number(number));
    if (typeof number === "number") return listAt(container, intFromDouble(number));
    throw noSuchOverload();
  }
  if (typeof container !== "object" || container === null) throw noSuchOverload();
  return mapAt(container as AnyMap, key);
}

const invalidIndex = (key: number) => new EvaluationError("index_out_of_bounds", `unsupported index value: ${key}`);

/** `value.name` of a dyn value, by its type at run time. */
export function selectDynamic(value: unknown, name: string): unknown {
  if (isMap(value)) return mapAt(value, name);
  if (value instanceof Optional) return selectOptional(value, name);
  throw noSuchKey(name);
}

/** `has(value.name)` of a dyn value, by its type at run time. */
export function hasDynamic(value: unknown, name: string): boolean {
  if (isMap(value)) return mapGet(value, name) !== undefined;
  return value instanceof Optional && value.present && hasDynamic(value.get(), name);
}

/** `value.?name`, and `optional.name`. */
export function selectOptional(value: unknown, name: string): Optional {
  if (value instanceof Optional) return value.present ? selectOptional(value.get(), name) : value;
  if (!isMap(value)) throw noSuchOverload();
  return optionalOf(mapGet(value, name));
}

/** As `selectOptional`, from an object in which null counts as absent. */
export function selectPresent(value: unknown, name: string): Optional {
  const selected = selectOptional(value, name);
  return selected.present && selected.get() === null ? Optional.none : selected;
}

/** `value[?key]`, and `optional[key]`. */
export function indexOptional(value: unknown, key: unknown): Optional {
  if (value instanceof Optional) return value.present ? indexOptional(value.get(), key) : value;
  if (!Array.isArray(value)) return isMap(value) ? optionalOf(mapGet(value, key)) : noMatch();
  const index = fromDynamic(key);
  return typeof index === "number" ? optionalOf(value[index]) : noMatch();
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
  throw noSuchOverload();
}

/** The keys that a comprehension with two variables iterates over; the values are read with `valueAt`. */
export function iterateKeys(range: unknown): readonly unknown[] {
  return Array.isArray(range) ? [...range.keys()] : iterate(range);
}

export function valueAt(range: unknown, key: unknown): unknown {
  return Array.isArray(range) ? range[key as number] : mapGet(range as AnyMap, key);
}

function noMatch(): never {
  throw noSuchOverload();
}
