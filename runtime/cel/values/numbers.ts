import { goFloat } from "../../go/float.ts";
import { EvaluationError, noneOfType, overflow } from "./evaluation-error.ts";

/**
 * Numbers at run time. An int is a JavaScript number if that is exact, and a bigint beyond 2^53, so that ordinary numbers are fast and large ones
 * stay exact. A uint is always a `Uint`. A double is a number if its static type is known; if the type is dyn, a whole-valued double is
 * boxed as `Double`, because a plain whole number is an int there.
 */
export type Int = number | bigint;

export class Uint {
  readonly value: bigint;

  constructor(value: bigint) {
    this.value = value;
  }

  toString(): string {
    return `${this.value}`;
  }
}

export class Double {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }

  toString(): string {
    return goFloat(this.value);
  }
}

const MAX_SAFE = Number.MAX_SAFE_INTEGER;
const INT_LIMIT = 2n ** 63n;
const UINT_LIMIT = 2n ** 64n;

/** Returns the smallest representation of an int. Throws if it does not fit into 64 bits. */
export function toInt(value: bigint, message?: string): Int {
  if (value >= INT_LIMIT || value < -INT_LIMIT) throw overflow(message);
  const small = Number(value);
  return small <= MAX_SAFE && small >= -MAX_SAFE ? small : value;
}

export function toUint(value: bigint): Uint {
  if (value < 0n || value >= UINT_LIMIT) throw overflow("unsigned integer overflow");
  return new Uint(value);
}

export function addInt(a: Int, b: Int): Int {
  if (typeof a === "number" && typeof b === "number") {
    const sum = a + b;
    if (sum <= MAX_SAFE && sum >= -MAX_SAFE) return sum;
  }
  return toInt(BigInt(a) + BigInt(b));
}

export function subtractInt(a: Int, b: Int): Int {
  if (typeof a === "number" && typeof b === "number") {
    const difference = a - b;
    if (difference <= MAX_SAFE && difference >= -MAX_SAFE) return difference;
  }
  return toInt(BigInt(a) - BigInt(b));
}

export function multiplyInt(a: Int, b: Int): Int {
  if (typeof a === "number" && typeof b === "number") {
    const product = a * b;
    if (product <= MAX_SAFE && product >= -MAX_SAFE) return product + 0;
  }
  return toInt(BigInt(a) * BigInt(b));
}

const divisionByZero = () => new EvaluationError("division_by_zero", "division by zero");
const modulusByZero = () => new EvaluationError("division_by_zero", "modulus by zero");

export function divideInt(a: Int, b: Int): Int {
  if (b === 0) throw divisionByZero();
  if (typeof a === "number" && typeof b === "number") return Math.trunc(a / b) + 0;
  return toInt(BigInt(a) / BigInt(b));
}

export function moduloInt(a: Int, b: Int): Int {
  if (b === 0) throw modulusByZero();
  if (typeof a === "number" && typeof b === "number") return (a % b) + 0;
  // The only quotient that overflows 64 bits makes the remainder an error too.
  if (BigInt(a) === -INT_LIMIT && b === -1) throw overflow();
  return toInt(BigInt(a) % BigInt(b));
}

export function negateInt(a: Int): Int {
  return typeof a === "number" ? 0 - a : toInt(-a);
}

export function divideUint(a: Uint, b: Uint): Uint {
  if (b.value === 0n) throw divisionByZero();
  return new Uint(a.value / b.value);
}

export function moduloUint(a: Uint, b: Uint): Uint {
  if (b.value === 0n) throw modulusByZero();
  return new Uint(a.value % b.value);
}

/** Converts a double to an int, truncated toward zero. Throws outside of 64 bits; the bounds themselves, which are not exact, count as outside. */
export function intFromDouble(value: number): Int {
  if (!(value > -(2 ** 63) && value < 2 ** 63)) throw overflow();
  return toInt(BigInt(Math.trunc(value)));
}

export function uintFromDouble(value: number): Uint {
  if (!(value >= 0 && value < 2 ** 64)) throw overflow("unsigned integer overflow");
  return new Uint(BigInt(Math.trunc(value)));
}

export function intFromString(text: string): Int {
  if (!/^[+-]?\d+$/.test(text)) throw noneOfType("int");
  const value = exactly(text);
  if (value >= INT_LIMIT || value < -INT_LIMIT) throw noneOfType("int");
  return toInt(value);
}

export function uintFromString(text: string): Uint {
  if (!/^\d+$/.test(text)) throw noneOfType("uint");
  const value = exactly(text);
  if (value >= UINT_LIMIT) throw noneOfType("uint");
  return new Uint(value);
}

/** Maximum number of digits of a 64-bit integer. */
const MOST_DIGITS = 20;

/** Parses an integer. If it has too many digits for 64 bits only the first are parsed, which is still out of range. */
function exactly(text: string): bigint {
  const size = BigInt(text.replace(/^[+-]?0*/, "").slice(0, MOST_DIGITS + 1));
  return text.startsWith("-") ? -size : size;
}

/** Parses a double as Go does: accepts underscores between digits, and hexadecimal with a binary exponent. */
export function doubleFromString(text: string): number {
  const special = /^([+-]?)(?:inf|infinity)$/i.exec(text);
  if (special !== null) return special[1] === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  if (/^nan$/i.test(text)) return Number.NaN;
  const digits = text.replaceAll(/(?<=\d)_(?=\d)/g, "");
  const isDecimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(digits);
  const value = isDecimal ? Number(digits) : hexadecimalDouble(text);
  if (value === undefined || !Number.isFinite(value)) throw noneOfType("double");
  return value;
}

/** Limits digits and exponent: anything beyond is not a useful double. */
const HEXADECIMAL = /^([+-]?)0x_?([\da-f_]{0,500})(?:\.([\da-f_]{0,500}))?p([+-]?[\d_]{1,9})$/i;

function hexadecimalDouble(text: string): number | undefined {
  const match = HEXADECIMAL.exec(text);
  if (match === null || !areUnderscoresBetweenDigits(text)) return undefined;
  const [whole = "", fraction = "", exponent = ""] = match.slice(2).map((part = "") => part.replaceAll("_", ""));
  if (whole + fraction === "") return undefined;
  const size = Number(BigInt(`0x${whole}${fraction}`)) * 2 ** (Number(exponent) - 4 * fraction.length);
  return match[1] === "-" ? -size : size;
}

const areUnderscoresBetweenDigits = (text: string): boolean => !/(?<![\dxa-f])_|_(?![\da-f])/i.test(text);

/** Formats a double without an exponent. */
export function plainDecimal(value: number): string {
  const text = String(value);
  if (!text.includes("e")) return text;
  const [mantissa = "", exponent = "0"] = value.toExponential().split("e");
  const negative = mantissa.startsWith("-");
  const digits = mantissa.replace(/[-.]/g, "");
  const point = Number(exponent) + 1;
  const plain =
    point <= 0
      ? `0.${"0".repeat(-point)}${digits}`
      : point >= digits.length
        ? digits.padEnd(point, "0")
        : `${digits.slice(0, point)}.${digits.slice(point)}`;
  return negative ? `-${plain}` : plain;
}
