import { BOOL, type CelType, DOUBLE, DYN, INT, listOf, UINT } from "../types/cel-type.ts";
import { compareValues } from "../values/compare.ts";
import { invalidArgument, noSuchOverload } from "../values/evaluation-error.ts";
import { kindOfValue } from "../values/kinds.ts";
import { type Int, negateInt, toInt, Uint } from "../values/numbers.ts";
import { declare, type FunctionDeclaration, global, type Library, type Overload } from "./library.ts";

const TOTAL = { total: true };
const NUMBERS: readonly [string, CelType][] = [
  ["double", DOUBLE],
  ["int", INT],
  ["uint", UINT],
];
/** How many arguments `math.greatest` and `math.least` take when they are not given a list. */
const MAX_ARGUMENTS = 8;

function choose(sign: 1 | -1): (values: readonly unknown[]) => unknown {
  return (values) => {
    if (values.length === 0) throw invalidArgument("math.@max(list) argument must not be empty");
    for (const value of values) if (!["int", "uint", "double"].includes(kindOfValue(value))) throw noSuchOverload();
    return values.reduce((best, value) => (sign * compareValues(value, best) > 0 ? value : best));
  };
}

/** The greatest or least of some numbers, or of a list of them, with the type of the number chosen. */
function extreme(name: "greatest" | "least", sign: 1 | -1): FunctionDeclaration {
  const pick = choose(sign);
  const id = `math_@${sign > 0 ? "max" : "min"}`;
  const overloads: Overload[] = [];
  for (const [suffix, type] of NUMBERS) {
    overloads.push(global(`${id}_${suffix}`, [type], type, (value) => value, TOTAL));
    overloads.push(global(`${id}_${suffix}_${suffix}`, [type, type], type, (...values) => pick(values)));
    overloads.push(global(`${id}_list_${suffix}`, [listOf(type)], type, pick));
  }
  for (let count = 2; count <= MAX_ARGUMENTS; count++) {
    const params = Array<CelType>(count).fill(DYN);
    overloads.push(global(`${id}_dyn_${count}`, params, DYN, (...values) => pick(values)));
  }
  return declare(`math.${name}`, ...overloads);
}

const rounding = (name: string, round: (value: number) => number) =>
  declare(`math.${name}`, global(`math_${name}_double`, [DOUBLE], DOUBLE, round, TOTAL));
const test = (name: string, holds: (value: number) => boolean) =>
  declare(`math.${name}`, global(`math_${name}_double`, [DOUBLE], BOOL, holds, TOTAL));

/** Half away from zero. */
const round = (value: number) => Math.sign(value) * Math.round(Math.abs(value));

const wrapInt = (bits: bigint) => toInt(BigInt.asIntN(64, bits));
const wrapUint = (bits: bigint) => new Uint(BigInt.asUintN(64, bits));

/** A bitwise operation on two ints or two uints. */
function bitwise(name: string, combine: (a: bigint, b: bigint) => bigint): FunctionDeclaration {
  return declare(
    `math.${name}`,
    global(`math_${name}_int_int`, [INT, INT], INT, (a: Int, b: Int) => wrapInt(combine(BigInt(a), BigInt(b)))),
    global(`math_${name}_uint_uint`, [UINT, UINT], UINT, (a: Uint, b: Uint) => wrapUint(combine(a.value, b.value))),
  );
}

/** Shifts of 64 bits; sixty-four and more leave nothing, and to the right no sign is kept. */
function shift(name: string, apply: (bits: bigint, by: bigint) => bigint): FunctionDeclaration {
  const shifted = (bits: bigint, by: Int) => {
    if (by < 0) throw invalidArgument(`math.${name}() negative offset: ${by}`);
    return by >= 64 ? 0n : apply(BigInt.asUintN(64, bits), BigInt(by));
  };
  return declare(
    `math.${name}`,
    global(`math_${name}_int_int`, [INT, INT], INT, (a: Int, b: Int) => wrapInt(shifted(BigInt(a), b))),
    global(`math_${name}_uint_int`, [UINT, INT], UINT, (a: Uint, b: Int) => wrapUint(shifted(a.value, b))),
  );
}

/** Mathematics. Not offered by Kubernetes; for embedders that want it. */
export const mathLibrary: Library = {
  name: "math",
  functions: [
    extreme("greatest", 1),
    extreme("least", -1),
    rounding("ceil", Math.ceil),
    rounding("floor", Math.floor),
    rounding("round", round),
    rounding("trunc", Math.trunc),
    test("isInf", (value) => !Number.isFinite(value) && !Number.isNaN(value)),
    test("isNaN", Number.isNaN),
    test("isFinite", Number.isFinite),
    declare(
      "math.abs",
      global("math_abs_double", [DOUBLE], DOUBLE, Math.abs, TOTAL),
      global("math_abs_int", [INT], INT, (value: Int) => (value < 0 ? negateInt(value) : value)),
      global("math_abs_uint", [UINT], UINT, (value: Uint) => value, TOTAL),
    ),
    declare(
      "math.sign",
      global("math_sign_double", [DOUBLE], DOUBLE, Math.sign, TOTAL),
      global("math_sign_int", [INT], INT, (value: Int) => (value > 0 ? 1 : value < 0 ? -1 : 0), TOTAL),
      global("math_sign_uint", [UINT], UINT, (value: Uint) => new Uint(value.value === 0n ? 0n : 1n), TOTAL),
    ),
    bitwise("bitAnd", (a, b) => a & b),
    bitwise("bitOr", (a, b) => a | b),
    bitwise("bitXor", (a, b) => a ^ b),
    declare(
      "math.bitNot",
      global("math_bitNot_int", [INT], INT, (value: Int) => wrapInt(~BigInt(value))),
      global("math_bitNot_uint", [UINT], UINT, (value: Uint) => wrapUint(~value.value)),
    ),
    shift("bitShiftLeft", (bits, by) => bits << by),
    shift("bitShiftRight", (bits, by) => bits >> by),
    declare(
      "math.sqrt",
      global("math_sqrt_double", [DOUBLE], DOUBLE, Math.sqrt, TOTAL),
      global("math_sqrt_int", [INT], DOUBLE, (value: Int) => Math.sqrt(Number(value)), TOTAL),
      global("math_sqrt_uint", [UINT], DOUBLE, (value: Uint) => Math.sqrt(Number(value.value)), TOTAL),
    ),
  ],
};
