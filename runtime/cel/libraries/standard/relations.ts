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
import { listAt } from "../../values/access.ts";
import { compareStrings, compareValues } from "../../values/compare.ts";
import { type AnyMap, mapAt, mapHas } from "../../values/containers.ts";
import { equalValues } from "../../values/equality.ts";
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

export const AGGREGATES: readonly FunctionDeclaration[] = [
  declare("_[_]", global("index_list", [listOf(A), INT], A, listAt), global("index_map", [mapOf(A, B), A], B, mapAt)),
  declare(
    "@in",
    global("in_list", [A, listOf(A)], BOOL, (value, list: unknown[]) => list.some((item) => equalValues(item, value)), {
      total: true,
    }),
    global("in_map", [A, mapOf(A, B)], BOOL, (key, map: AnyMap) => mapHas(map, key)),
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
