import { invalidArgument, noSuchOverload } from "./evaluation-error.ts";
import { Double, Uint } from "./numbers.ts";
import { Duration, Timestamp } from "./time.ts";

/** Returns a numeric value in a form that JavaScript compares exactly with any other. Undefined if it is not a number. */
export function numeric(value: unknown): number | bigint | undefined {
  if (typeof value === "number" || typeof value === "bigint") return value;
  if (value instanceof Uint || value instanceof Double) return value.value;
  return undefined;
}

/** Returns a negative number, zero or a positive number. Throws if the values have no order. */
export function compareValues(a: unknown, b: unknown): number {
  const x = numeric(a);
  if (x !== undefined) {
    const y = numeric(b);
    if (y === undefined) throw noSuchOverload();
    if (Number.isNaN(x) || Number.isNaN(y)) throw invalidArgument("NaN values cannot be ordered");
    return compareNumbers(x, y);
  }
  if (typeof a === "string" && typeof b === "string") return compareStrings(a, b);
  if (typeof a === "boolean" && typeof b === "boolean") return Number(a) - Number(b);
  if (a instanceof Timestamp && b instanceof Timestamp) return a.nanos < b.nanos ? -1 : a.nanos > b.nanos ? 1 : 0;
  if (a instanceof Duration && b instanceof Duration) return a.nanos < b.nanos ? -1 : a.nanos > b.nanos ? 1 : 0;
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b);
  throw noSuchOverload();
}

/** Integers are compared exactly with each other, and as doubles with doubles. */
function compareNumbers(x: number | bigint, y: number | bigint): number {
  const mixed = typeof x !== typeof y;
  const a = mixed ? Number(x) : x;
  const b = mixed ? Number(y) : y;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Whether two numbers of any types have the same value. */
export function equalNumbers(x: number | bigint, y: number | bigint): boolean {
  return typeof x === typeof y ? x === y : x <= y && x >= y;
}

/** Compares strings by code point. UTF-16 units give the same order except around surrogates. */
export function compareStrings(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return isSurrogate(x) === isSurrogate(y) ? x - y : isSurrogate(x) ? 1 : -1;
  }
  return a.length - b.length;
}

/** A surrogate represents a code point above all code points of other units. */
const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit < 0xe000;
