import { BOOL, DOUBLE, INT, opaqueOf, STRING } from "../types/cel-type.ts";
import { OpaqueValue } from "../values/containers.ts";
import { conversionError } from "../values/evaluation-error.ts";
import { type Int, toInt } from "../values/numbers.ts";
import { declare, global, type Library, member } from "./library.ts";

const TOTAL = { total: true };
export const QUANTITY_TYPE = opaqueOf("kubernetes.Quantity");

const NANO = 1_000_000_000n;
/** Larger amounts are capped, smaller ones than a nano rounded up, as the API machinery does. */
const MAX_WHOLE = 2n ** 63n - 1n;

/** An amount such as `1.5Gi`, counted in billionths. */
class QuantityValue extends OpaqueValue {
  readonly typeName = QUANTITY_TYPE.name;
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    super();
    this.nanos = nanos;
  }

  equals(other: OpaqueValue): boolean {
    return other instanceof QuantityValue && this.nanos === other.nanos;
  }
}

const DECIMAL_SUFFIX: Record<string, number> = { n: -9, u: -6, m: -3, "": 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const BINARY_SUFFIX = ["Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];

function parseQuantity(text: string): QuantityValue | undefined {
  const match = /^([+-]?)(\d+\.?\d*|\.\d+)(?:([KMGTPE]i|[numkMGTPE])|[eE]([+-]?\d+))?$/.exec(text);
  if (match === null) return undefined;
  const [, sign, number = "", suffix = "", exponent] = match;
  const [whole = "", fraction = ""] = number.split(".");
  let digits = BigInt(whole + fraction || "0");
  let power = 9 - fraction.length;
  const binary = BINARY_SUFFIX.indexOf(suffix);
  if (exponent !== undefined) power += Number(exponent);
  else if (binary >= 0) digits *= 1024n ** BigInt(binary + 1);
  else power += DECIMAL_SUFFIX[suffix]!;
  if (Math.abs(power) > 1000) return undefined;
  const nanos = scale(digits, power);
  const capped = nanos > MAX_WHOLE * NANO ? MAX_WHOLE * NANO : nanos;
  return new QuantityValue(sign === "-" ? -capped : capped);
}

/** `digits` times ten to the power, rounded up. */
function scale(digits: bigint, power: number): bigint {
  if (power >= 0) return digits * 10n ** BigInt(power);
  const divisor = 10n ** BigInt(-power);
  return (digits + divisor - 1n) / divisor;
}

function quantity(text: string): QuantityValue {
  const parsed = parseQuantity(text);
  if (parsed === undefined)
    throw conversionError(
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    );
  return parsed;
}

const isInteger = (value: QuantityValue) => value.nanos % NANO === 0n;

function asInteger(value: QuantityValue): Int {
  if (!isInteger(value)) throw conversionError("cannot convert value to integer");
  return toInt(value.nanos / NANO, "cannot convert value to integer");
}

const compare = (a: QuantityValue, b: QuantityValue) => (a.nanos < b.nanos ? -1 : a.nanos > b.nanos ? 1 : 0);
const plus = (a: QuantityValue, nanos: bigint) => new QuantityValue(a.nanos + nanos);
const PAIR = [QUANTITY_TYPE, QUANTITY_TYPE];

/** Resource quantities. */
export const quantityLibrary: Library = {
  name: "quantity",
  types: [QUANTITY_TYPE],
  functions: [
    declare("quantity", global("string_to_quantity", [STRING], QUANTITY_TYPE, quantity)),
    declare(
      "isQuantity",
      global("is_quantity_string", [STRING], BOOL, (text: string) => parseQuantity(text) !== undefined, TOTAL),
    ),
    declare(
      "sign",
      global("quantity_sign", [QUANTITY_TYPE], INT, (value: QuantityValue) => compare(value, new QuantityValue(0n)), TOTAL),
    ),
    declare(
      "isGreaterThan",
      member("quantity_is_greater_than", PAIR, BOOL, (a: QuantityValue, b: QuantityValue) => a.nanos > b.nanos, TOTAL),
    ),
    declare(
      "isLessThan",
      member("quantity_is_less_than", PAIR, BOOL, (a: QuantityValue, b: QuantityValue) => a.nanos < b.nanos, TOTAL),
    ),
    declare("compareTo", member("quantity_compare_to", PAIR, INT, compare, TOTAL)),
    declare(
      "asApproximateFloat",
      member("quantity_get_float", [QUANTITY_TYPE], DOUBLE, (value: QuantityValue) => Number(value.nanos) / 1e9, TOTAL),
    ),
    declare("asInteger", member("quantity_get_int", [QUANTITY_TYPE], INT, asInteger)),
    declare("isInteger", member("quantity_is_integer", [QUANTITY_TYPE], BOOL, isInteger, TOTAL)),
    declare(
      "add",
      member("quantity_add", PAIR, QUANTITY_TYPE, (a: QuantityValue, b: QuantityValue) => plus(a, b.nanos), TOTAL),
      member("quantity_add_int", [QUANTITY_TYPE, INT], QUANTITY_TYPE, (a: QuantityValue, b: Int) => plus(a, BigInt(b) * NANO), TOTAL),
    ),
    declare(
      "sub",
      member("quantity_sub", PAIR, QUANTITY_TYPE, (a: QuantityValue, b: QuantityValue) => plus(a, -b.nanos), TOTAL),
      member("quantity_sub_int", [QUANTITY_TYPE, INT], QUANTITY_TYPE, (a: QuantityValue, b: Int) => plus(a, -BigInt(b) * NANO), TOTAL),
    ),
  ],
};
