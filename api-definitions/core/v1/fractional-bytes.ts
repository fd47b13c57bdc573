import { goQuote } from "../../../runtime/go/quote.ts";
import { parseQuantity, quantityAt } from "../../../runtime/values/quantity.ts";
import type { ResourceList } from "./resources.ts";

/** Warns if the quantity of `name` is not a whole number of bytes. */
export function warnOfFraction(amounts: ResourceList | undefined, name: string, path: string): string[] {
  const amount = amounts?.[name];
  if (amount === undefined || quantityAt(parseQuantity(amount), -3) % 1000n === 0n) return [];
  return [`${path}[${name}]: fractional byte value ${goQuote(amount)} is invalid, must be an integer`];
}
