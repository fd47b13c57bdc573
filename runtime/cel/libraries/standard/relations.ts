import {
  BOOL,
  BYTES,
  type CelType,
  DOUBLE,
  DURATION,
  INT,
  listOf,
  mapOf,
  paramOf,
  STRING,
  TIMESTAMP,
  UINT,
} from "../../types/cel-type.ts";
import { compareStrings, compareValues } from "../../values/compare.ts";
import { type AnyMap, mapAt, mapHas } from "../../values/containers.ts";
import { equalValues } from "../../values/equality.ts";
import { EvaluationError, noSuchOverload } from "../../values/evaluation-error.ts";
import { intFromDouble } from "../../values/numbers.ts";
import { declare, type FunctionDeclaration, global, type Implementation, type Overload } from "../library.ts";

const A = paramOf("A");
const B = paramOf("B");

interface Relation {
  readonly function: string;
  readonly prefix: string;
  readonly symbol: string;
  readonly holds: (order: number) => boolean;
}

const RELATIONS: readonly Relation[] = [
  { function: "_<_", prefix: "less", symbol: "<", holds: (order) => order < 0 },
  { function: "_<=_", prefix: "less_equals", symbol: "<=", holds: (order) => order <= 0 },
  { function: "_>_", prefix: "greater", symbol: ">", holds: (order) => order > 0 },
  { function: "_>=_", prefix: "greater_equals", symbol: ">=", holds: (order) => order >= 0 },
];

const SAME_TYPE: readonly [suffix: string, type: CelType][] = [
  ["bool", BOOL],
  ["int64", INT],
  ["uint64", UINT],
  ["double", DOUBLE],
  ["string", STRING],
  ["bytes", BYTES],
  ["timestamp", TIMESTAMP],
  ["duration", DURATION],
];

const NUMBERS: readonly [suffix: string, type: CelType][] = [
  ["int64", INT],
  ["uint64", UINT],
  ["double", DOUBLE],
];

function ordered({ prefix, symbol, holds }: Relation, suffix: string, left: CelType, right: CelType): Overload {
  const id = `${prefix}_${suffix}`;
  if (left === INT && right === INT) {
    // JavaScript orders any mix of numbers and bigints exactly.
    const compare: Implementation = (a, b) => holds(compareValues(a, b));
    return global(id, [left, right], BOOL, compare, { total: true, inline: ([a, b]) => `(${a} ${symbol} ${b})` });
  }
  const compare: Implementation =
    left === STRING ? (a, b) => holds(compareStrings(a, b)) : (a, b) => holds(compareValues(a, b));
  return global(id, [left, right], BOOL, compare, { total: left !== DOUBLE && right !== DOUBLE });
}

/** Comparisons of two values of one type; with `crossType`, of any two numbers as well. */
export function relations(crossType: boolean): FunctionDeclaration[] {
  return RELATIONS.map((relation) => {
    const same = SAME_TYPE.map(([suffix, type]) => ordered(relation, suffix, type, type));
    const cross = NUMBERS.flatMap(([left, leftType]) =>
      NUMBERS.filter(([right]) => right !== left).map(([right, rightType]) =>
        ordered(relation, `${left}_${right}`, leftType, rightType),
      ),
    );
    return declare(relation.function, ...same, ...(crossType ? cross : []));
  });
}

/** The element at an index. Throws outside of the list. */
export function listAt(list: readonly unknown[], index: number | bigint): unknown {
  const value = list[index as number];
  if (value === undefined || typeof index === "bigint")
    throw new EvaluationError("index_out_of_bounds", `index out of bounds: ${index}`);
  return value;
}

/** Indexing where only the run-time values tell what is indexed; whole doubles are good list indices there. */
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

export const AGGREGATES: readonly FunctionDeclaration[] = [
  declare("_[_]", global("index_list", [listOf(A), INT], A, listAt), global("index_map", [mapOf(A, B), A], B, mapAt)),
  declare(
    "@in",
    global("in_list", [A, listOf(A)], BOOL, (value, list: unknown[]) => list.some((item) => equalValues(item, value)), {
      total: true,
    }),
    global("in_map", [A, mapOf(A, B)], BOOL, (key, map: AnyMap) => mapHas(map, key), { total: true }),
  ),
  declare("_==_", global("equals", [A, A], BOOL, equalValues, { total: true })),
  declare(
    "_!=_",
    global("not_equals", [A, A], BOOL, (a, b) => !equalValues(a, b), { total: true }),
  ),
  declare(
    "!_",
    global("logical_not", [BOOL], BOOL, (a: boolean) => !a, { total: true, inline: ([a]) => `!${a}` }),
  ),
  declare(
    "_?_:_",
    global("conditional", [BOOL, A, A], A, (condition: boolean, yes, no) => (condition ? yes : no)),
  ),
];
