import { compareQuantities, parseQuantity, type Quantity, quantityAt } from "../values/quantity.ts";
import { goQuote } from "./quote.ts";
import { givenQuantity } from "./source-notes.ts";

/** A quantity as Go's struct represents it. */
export interface GoQuantity {
  readonly value: bigint;
  readonly scale: number;
  /** Whether it is too large or too precise for `value`, which is then 0. */
  readonly isBig: boolean;
  /** The text that Go caches to avoid formatting again. */
  readonly text: string;
  readonly format: string;
}

const NO_QUANTITY: GoQuantity = { value: 0n, scale: 0, isBig: false, text: "", format: "" };

/** Reads a quantity of an object in its original form. */
export function readGoQuantity(holder: object, key: string, canonical: string | undefined): GoQuantity {
  const given = givenQuantity(holder, key);
  if (canonical === undefined || given === null) return NO_QUANTITY;
  const held = parseQuantity(canonical);
  if (given !== undefined && compareQuantities(given, held) === 0) return asGoQuantity(given);
  return asGoQuantity(held);
}

function asGoQuantity(quantity: Quantity): GoQuantity {
  const { unscaled, scale, format, isBig = false, text = "" } = quantity;
  return isBig ? { value: 0n, scale: 0, isBig, text, format } : { value: unscaled, scale, isBig, text, format };
}

/** Returns the value of a quantity in 64 bits, as Go truncates it: the low bits of a big number, and 0 for any other one that does not fit. */
export function truncatedQuantity(holder: object, key: string, canonical: string): bigint {
  const held = parseQuantity(canonical);
  const given = givenQuantity(holder, key);
  const { isBig = false } = given && compareQuantities(given, held) === 0 ? given : held;
  const value = quantityAt(held);
  const truncated = BigInt.asIntN(64, value);
  return isBig || truncated === value ? truncated : 0n;
}

/** Returns a quantity in its state after Go has printed it, which caches its text. */
export function printed(quantity: GoQuantity, canonical: string): GoQuantity {
  return { ...quantity, text: canonical };
}

/** Formats a quantity like Go's `%#v`. */
export function goQuantityText({ value, scale, isBig, text, format }: GoQuantity): string {
  const number = `i:resource.int64Amount{value:${value}, scale:${scale}}`;
  const decimal = `d:resource.infDecAmount{Dec:(*inf.Dec)(${isBig ? "0xc000000000" : "nil"})}`;
  return `resource.Quantity{${number}, ${decimal}, s:${goQuote(text)}, Format:${goQuote(format)}}`;
}
