import {
  BOOL,
  BYTES,
  type CelType,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  paramOf,
  STRING,
  TIMESTAMP,
  UINT,
} from "../types/cel-type.ts";
import { compareValues, numeric } from "../values/compare.ts";
import { equalityOf } from "../values/equality.ts";
import { invalidArgument } from "../values/evaluation-error.ts";
import { fromJson } from "../values/json.ts";
import { addInt, type Int, toUint, Uint } from "../values/numbers.ts";
import { type Duration, durationOf } from "../values/time.ts";
import { declare, type FunctionDeclaration, type Library, member, type Overload } from "./library.ts";

const COMPARABLE: readonly [name: string, type: CelType][] = [
  ["int", INT],
  ["uint", UINT],
  ["double", DOUBLE],
  ["bool", BOOL],
  ["duration", DURATION],
  ["timestamp", TIMESTAMP],
  ["string", STRING],
  ["bytes", BYTES],
];

/** Declares an overload for lists of each comparable type. Elements are converted to that type first. */
function forEachType(
  name: string,
  id: (type: string) => string,
  result: (type: CelType) => CelType,
  implement: (items: unknown[]) => unknown,
): FunctionDeclaration {
  const overloads = COMPARABLE.map(
    ([typeName, type]): Overload =>
      member(id(typeName), [listOf(type)], result(type), (list: unknown[]) =>
        implement(list.map((item) => fromJson(item, type))),
      ),
  );
  return declare(name, ...overloads);
}

/** Compares two elements. Values without an order, such as NaN, compare as equal to everything. */
function order(a: unknown, b: unknown): number {
  return Number.isNaN(numeric(a)) || Number.isNaN(numeric(b)) ? 0 : compareValues(a, b);
}

function isSorted(items: readonly unknown[]): boolean {
  return items.every((item, i) => i === 0 || order(items[i - 1], item) <= 0);
}

/** Returns the last element in the order given by `sign`: the greatest for 1, the least for -1. */
function extreme(name: "max" | "min", sign: 1 | -1): (items: readonly unknown[]) => unknown {
  return (items) => {
    if (items.length === 0) throw invalidArgument(`${name} called on empty list`);
    return items.reduce((best, item) => (sign * order(item, best) > 0 ? item : best));
  };
}

const numbers = (items: readonly unknown[]) => items.map((item) => numeric(item) ?? 0);

const SUMS: readonly Overload[] = [
  member("list_int_sum_int", [listOf(INT)], INT, (list: Int[]) => list.reduce(addInt, 0)),
  member("list_uint_sum_uint", [listOf(UINT)], UINT, (list: Uint[]) =>
    list.reduce((sum, item) => toUint(sum.value + item.value), new Uint(0n)),
  ),
  member("list_double_sum_double", [listOf(DOUBLE)], DOUBLE, (list: unknown[]) =>
    numbers(list).reduce((sum: number, item) => sum + Number(item), 0),
  ),
  member("list_duration_sum_duration", [listOf(DURATION)], DURATION, (list: unknown[]) =>
    list.reduce(
      (sum: Duration, item) => durationOf(sum.nanos + (fromJson(item, DURATION) as Duration).nanos),
      durationOf(0n),
    ),
  ),
];

const A = paramOf("A");
const OF_ELEMENTS = { takesElementType: true };

function indexOf(list: readonly unknown[], value: unknown, type: CelType = DYN): number {
  const equal = equalityOf(type);
  return list.findIndex((item) => equal(item, value));
}

function lastIndexOf(list: readonly unknown[], value: unknown, type: CelType = DYN): number {
  const equal = equalityOf(type);
  return list.findLastIndex((item) => equal(item, value));
}

/** Functions on whole lists. */
export const listsLibrary: Library = {
  name: "lists",
  functions: [
    forEachType(
      "isSorted",
      (type) => `list_${type}_is_sorted_bool`,
      () => BOOL,
      isSorted,
    ),
    declare("sum", ...SUMS),
    forEachType(
      "max",
      (type) => `list_${type}_max_${type}`,
      (type) => type,
      extreme("max", 1),
    ),
    forEachType(
      "min",
      (type) => `list_${type}_min_${type}`,
      (type) => type,
      extreme("min", -1),
    ),
    declare("indexOf", member("list_a_index_of_int", [listOf(A), A], INT, indexOf, OF_ELEMENTS)),
    declare("lastIndexOf", member("list_a_last_index_of_int", [listOf(A), A], INT, lastIndexOf, OF_ELEMENTS)),
  ],
};
