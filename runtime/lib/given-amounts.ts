import { parseQuantity, type Quantity, quantityAt } from "../values/quantity.ts";
import { noteAmounts } from "./known-amounts.ts";

/**
 * Amounts as they were given, where canonical objects hold them in another form: Go keeps the number it has read, and
 * some messages show it for as long as the request lasts. What is noted belongs to the very object that holds the amount.
 */
const noted = new WeakMap<object, Map<string, Quantity | null>>();

/** `text` is null for an amount that was given as null. */
export function noteGivenAmount(holder: object, key: string, text: string | null): void {
  note(holder, key, text === null ? null : parseQuantity(text));
}

/** For an amount that is rounded up to 10^scale. */
export function roundGivenAmount(holder: object, key: string, scale: number): void {
  const given = givenAmount(holder, key);
  if (given === undefined || given === null || given.scale >= scale) return;
  const { format, isBig = false } = given;
  note(holder, key, { unscaled: quantityAt(given, scale), scale, format, isBig });
}

/** Undefined where nothing else was given than what is there. */
export function givenAmount(holder: object, key: string): Quantity | null | undefined {
  return noted.get(holder)?.get(key);
}

export function carryGivenAmounts(holder: object, copy: object): void {
  const known = noted.get(holder);
  if (known !== undefined && !noted.has(copy)) noted.set(copy, known);
}

/** The amounts of all lists, as they were given; of the same amount, the last. */
export function mergeAmounts(...lists: (Readonly<Record<string, string>> | undefined)[]): Record<string, string> {
  const merged: Record<string, string> = {};
  noteAmounts(merged);
  for (const list of lists) {
    for (const [key, text] of Object.entries(list ?? {})) {
      merged[key] = text;
      const given = givenAmount(list ?? {}, key);
      if (given !== undefined) note(merged, key, given);
      else noted.get(merged)?.delete(key);
    }
  }
  return merged;
}

function note(holder: object, key: string, amount: Quantity | null): void {
  const known = noted.get(holder);
  if (known === undefined) noted.set(holder, new Map([[key, amount]]));
  else known.set(key, amount);
}
