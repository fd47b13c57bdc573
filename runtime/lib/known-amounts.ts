import { compareQuantities, parseQuantity } from "../values/quantity.ts";

/** Which members of objects are amounts, as far as it was told: all that an object holds, or some keys. It belongs to the very object. */
const known = new WeakMap<object, Set<string> | "all">();

export function noteAmounts(holder: object, key?: string): void {
  const before = known.get(holder);
  if (key === undefined) known.set(holder, "all");
  else if (before === undefined) known.set(holder, new Set([key]));
  else if (before !== "all") before.add(key);
}

export function carryKnownAmounts(holder: object, copy: object): void {
  const amounts = known.get(holder);
  if (amounts !== undefined && !known.has(copy)) known.set(copy, amounts);
}

/** Whether two texts that one of two objects is known to hold as amounts say the same. */
export function equalAmounts(a: object, b: object, key: string, one: string, other: string): boolean {
  if (!isAmount(a, key) && !isAmount(b, key)) return false;
  try {
    return compareQuantities(parseQuantity(one), parseQuantity(other)) === 0;
  } catch {
    return false;
  }
}

function isAmount(holder: object, key: string): boolean {
  const amounts = known.get(holder);
  return amounts === "all" || amounts?.has(key) === true;
}
