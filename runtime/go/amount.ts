import { givenAmount } from "../lib/given-amounts.ts";
import { compareQuantities, parseQuantity, type Quantity } from "../values/quantity.ts";
import { goQuote } from "./quote.ts";

/** An amount with what Go keeps of it. */
export interface GoAmount {
  readonly value: bigint;
  readonly scale: number;
  /** Whether it is too long or too fine for the number, which is 0 then. */
  readonly isBig: boolean;
  /** The text that Go keeps so as not to format it again. */
  readonly text: string;
  readonly format: string;
}

const NO_AMOUNT: GoAmount = { value: 0n, scale: 0, isBig: false, text: "", format: "" };

/** An amount that an object holds, as it was given. */
export function readGoAmount(holder: object, key: string, canonical: string | undefined): GoAmount {
  const given = givenAmount(holder, key);
  if (canonical === undefined || given === null) return NO_AMOUNT;
  const held = parseQuantity(canonical);
  if (given !== undefined && compareQuantities(given, held) === 0) return asGoAmount(given, "");
  return asGoAmount(held, canonical === "0" ? canonical : "");
}

function asGoAmount(quantity: Quantity, fallback: string): GoAmount {
  const { unscaled, scale, format, isBig = false, text = fallback } = quantity;
  return isBig ? { value: 0n, scale: 0, isBig, text, format } : { value: unscaled, scale, isBig, text, format };
}

/** After Go has printed it, when it knows its text. */
export function printed(amount: GoAmount, canonical: string): GoAmount {
  return { ...amount, text: canonical };
}

/** As Go's `%#v` prints it. */
export function goAmountText({ value, scale, isBig, text, format }: GoAmount): string {
  const number = `i:resource.int64Amount{value:${value}, scale:${scale}}`;
  const decimal = `d:resource.infDecAmount{Dec:(*inf.Dec)(${isBig ? "0xc000000000" : "nil"})}`;
  return `resource.Quantity{${number}, ${decimal}, s:${goQuote(text)}, Format:${goQuote(format)}}`;
}
