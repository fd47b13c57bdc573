import { formatQuantity, parseQuantity, type QuantityFormat } from "../../values/quantity.ts";
import { BOOL, DOUBLE, INT, opaqueOf, STRING } from "../types/cel-type.ts";
import { OpaqueValue } from "../values/containers.ts";
import { conversionError } from "../values/evaluation-error.ts";
import { type Int, toInt } from "../values/numbers.ts";
import { comparisons } from "./comparisons.ts";
import { declare, global, type Library, member } from "./library.ts";

const TOTAL = { total: true };
export const QUANTITY_TYPE = opaqueOf("kubernetes.Quantity");

/**
 * A quantity such as `1.5Gi`: `value` × 10^`scale`. It counts as an integer only if Kubernetes represents it as 64 bits with a scale that is not
 * negative. Quantities that Kubernetes represents as decimals of any size (`isBig`), such as `1.5Gi` and `1Ei`, never do.
 */
class QuantityValue extends OpaqueValue {
  readonly typeName = QUANTITY_TYPE.name;
  override readonly goType = "*resource.Quantity";
  readonly value: bigint;
  readonly scale: number;
  readonly isBig: boolean;
  readonly format: QuantityFormat;
  override readonly isResult: boolean;

  constructor(value: bigint, scale: number, isBig: boolean, format: QuantityFormat, isResult = false) {
    super();
    this.format = format;
    this.isResult = isResult;
    this.value = value;
    this.scale = scale;
    this.isBig = isBig;
  }

  plus(other: QuantityValue): QuantityValue {
    const isBig = this.isBig || other.isBig;
    if (!isBig && other.value === 0n) return this.asResult();
    if (!isBig && this.value === 0n) return other.asResult();
    const scale = Math.min(this.scale, other.scale);
    const [a, b] = [at(this, scale), at(other, scale)];
    const isTooLarge = [a, b, a + b].some((value) => !fitsInt(value));
    const format = this.value === 0n ? other.format : this.format;
    return new QuantityValue(a + b, scale, isBig || isTooLarge, format, true);
  }

  asResult(): QuantityValue {
    return new QuantityValue(this.value, this.scale, this.isBig, this.format, true);
  }

  negated(): QuantityValue {
    return new QuantityValue(-this.value, this.scale, this.isBig, this.format);
  }

  override toString(): string {
    return formatQuantity({ unscaled: this.value, scale: this.scale, format: this.format });
  }

  equals(other: OpaqueValue): boolean {
    return other instanceof QuantityValue && compare(this, other) === 0;
  }
}

const fitsInt = (value: bigint): boolean => value < 2n ** 63n && value >= -(2n ** 63n);
/** The value in units of 10^scale, where `scale` must not exceed the scale of the quantity. */
const at = (quantity: QuantityValue, scale: number): bigint => quantity.value * 10n ** BigInt(quantity.scale - scale);

const NANO = -9;
/** Kubernetes' largest binary quantity. */
const CAP = 2n ** 63n - 1n;

function quantity(text: string): QuantityValue {
  try {
    const { unscaled, scale, format, isBig = false } = parseQuantity(text);
    const isCapped = scale === 0 && (unscaled === CAP || unscaled === -CAP);
    if (!isBig || unscaled === 0n || isCapped) return new QuantityValue(unscaled, scale, isBig, format);
    // Large decimals are represented in billionths.
    return new QuantityValue(unscaled * 10n ** BigInt(scale - NANO), NANO, true, format);
  } catch (error) {
    throw conversionError((error as Error).message);
  }
}

function isQuantity(text: string): boolean {
  try {
    parseQuantity(text);
    return true;
  } catch {
    return false;
  }
}

function isInteger({ value, scale, isBig }: QuantityValue): boolean {
  return !isBig && scale >= 0 && fitsInt(value * 10n ** BigInt(scale));
}

function asInteger(value: QuantityValue): Int {
  if (!isInteger(value)) throw conversionError("cannot convert value to integer");
  return toInt(at(value, 0));
}

const compare = (a: QuantityValue, b: QuantityValue): number => {
  const scale = Math.min(a.scale, b.scale);
  const [x, y] = [at(a, scale), at(b, scale)];
  return x < y ? -1 : x > y ? 1 : 0;
};
const whole = (value: Int): QuantityValue => new QuantityValue(BigInt(value), 0, false, "DecimalExponent");
const signOf = ({ value }: QuantityValue) => (value > 0n ? 1 : value < 0n ? -1 : 0);
/** Rounds twice, as Go does: the value, then the product. */
const approximate = ({ value, scale }: QuantityValue) =>
  scale === 0 ? Number(value) : Number(value) * Number(`1e${scale}`);

const PAIR = [QUANTITY_TYPE, QUANTITY_TYPE];
const WITH_INT = [QUANTITY_TYPE, INT];
type Q = QuantityValue;

/** Resource quantities. */
export const quantityLibrary: Library = {
  name: "quantity",
  types: [QUANTITY_TYPE],
  functions: [
    declare("quantity", global("string_to_quantity", [STRING], QUANTITY_TYPE, quantity)),
    declare("isQuantity", global("is_quantity_string", [STRING], BOOL, isQuantity, TOTAL)),
    declare("sign", global("quantity_sign", [QUANTITY_TYPE], INT, signOf, TOTAL)),
    ...comparisons("quantity", QUANTITY_TYPE, compare),
    declare("asApproximateFloat", member("quantity_get_float", [QUANTITY_TYPE], DOUBLE, approximate, TOTAL)),
    declare("asInteger", member("quantity_get_int", [QUANTITY_TYPE], INT, asInteger)),
    declare("isInteger", member("quantity_is_integer", [QUANTITY_TYPE], BOOL, isInteger, TOTAL)),
    declare(
      "add",
      member("quantity_add", PAIR, QUANTITY_TYPE, (a: Q, b: Q) => a.plus(b), TOTAL),
      member("quantity_add_int", WITH_INT, QUANTITY_TYPE, (a: Q, b: Int) => a.plus(whole(b)), TOTAL),
    ),
    declare(
      "sub",
      member("quantity_sub", PAIR, QUANTITY_TYPE, (a: Q, b: Q) => a.plus(b.negated()), TOTAL),
      member("quantity_sub_int", WITH_INT, QUANTITY_TYPE, (a: Q, b: Int) => a.plus(whole(b).negated()), TOTAL),
    ),
  ],
};
