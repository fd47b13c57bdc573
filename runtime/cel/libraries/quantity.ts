import { addQuantities, compareQuantities, parseQuantity, type Quantity, quantityAt } from "../../values/quantity.ts";
import { BOOL, DOUBLE, INT, opaqueOf, STRING } from "../types/cel-type.ts";
import { OpaqueValue } from "../values/containers.ts";
import { conversionError } from "../values/evaluation-error.ts";
import { type Int, toInt } from "../values/numbers.ts";
import { comparisons } from "./comparisons.ts";
import { declare, global, type Library, member } from "./library.ts";

const TOTAL = { total: true };
export const QUANTITY_TYPE = opaqueOf("kubernetes.Quantity");

/** An amount such as `1.5Gi`. */
class QuantityValue extends OpaqueValue {
  readonly typeName = QUANTITY_TYPE.name;
  readonly amount: Quantity;

  constructor(amount: Quantity) {
    super();
    this.amount = amount;
  }

  plus(other: Quantity): QuantityValue {
    return new QuantityValue(addQuantities(this.amount, other));
  }

  equals(other: OpaqueValue): boolean {
    return other instanceof QuantityValue && compare(this, other) === 0;
  }
}

function quantity(text: string): QuantityValue {
  try {
    return new QuantityValue(parseQuantity(text));
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

function isInteger({ amount }: QuantityValue): boolean {
  const whole = quantityAt(amount);
  const exact = amount.scale >= 0 || whole * 10n ** BigInt(-amount.scale) === amount.unscaled;
  return exact && whole < 2n ** 63n && whole >= -(2n ** 63n);
}

function asInteger(value: QuantityValue): Int {
  if (!isInteger(value)) throw conversionError("cannot convert value to integer");
  return toInt(quantityAt(value.amount));
}

const compare = (a: QuantityValue, b: QuantityValue) => compareQuantities(a.amount, b.amount);
const negated = (amount: Quantity): Quantity => ({ ...amount, unscaled: -amount.unscaled });
const whole = (value: Int): Quantity => ({ unscaled: BigInt(value), scale: 0, format: "DecimalSI" });
const signOf = ({ amount }: QuantityValue) => (amount.unscaled > 0n ? 1 : amount.unscaled < 0n ? -1 : 0);
const approximate = ({ amount }: QuantityValue) => Number(`${amount.unscaled}e${amount.scale}`);

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
      member("quantity_add", PAIR, QUANTITY_TYPE, (a: Q, b: Q) => a.plus(b.amount), TOTAL),
      member("quantity_add_int", WITH_INT, QUANTITY_TYPE, (a: Q, b: Int) => a.plus(whole(b)), TOTAL),
    ),
    declare(
      "sub",
      member("quantity_sub", PAIR, QUANTITY_TYPE, (a: Q, b: Q) => a.plus(negated(b.amount)), TOTAL),
      member("quantity_sub_int", WITH_INT, QUANTITY_TYPE, (a: Q, b: Int) => a.plus(negated(whole(b))), TOTAL),
    ),
  ],
};
