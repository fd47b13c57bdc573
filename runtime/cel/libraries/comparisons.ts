import { BOOL, type CelType, INT } from "../types/cel-type.ts";
import { declare, type FunctionDeclaration, member } from "./library.ts";

const TOTAL = { total: true };

/** `isGreaterThan`, `isLessThan` and `compareTo` of a type with an order. */
export function comparisons<T>(
  prefix: string,
  type: CelType,
  compare: (a: T, b: T) => number,
): readonly FunctionDeclaration[] {
  const pair = [type, type];
  return [
    declare(
      "isGreaterThan",
      member(`${prefix}_is_greater_than`, pair, BOOL, (a: T, b: T) => compare(a, b) > 0, TOTAL),
    ),
    declare(
      "isLessThan",
      member(`${prefix}_is_less_than`, pair, BOOL, (a: T, b: T) => compare(a, b) < 0, TOTAL),
    ),
    declare("compareTo", member(`${prefix}_compare_to`, pair, INT, compare, TOTAL)),
  ];
}
