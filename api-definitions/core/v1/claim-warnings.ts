import { goQuote } from "../../../runtime/lib/go-quote.ts";
import { parseQuantity, quantityAt } from "../../../runtime/lib/quantity.ts";
import type { PersistentVolumeClaimSpec } from "./persistent-volume-claim.ts";

/** Bytes cannot be divided. */
export function warnOfClaimSpec(spec: PersistentVolumeClaimSpec | undefined, path: string): string[] {
  return (["requests", "limits"] as const).flatMap((list) => {
    const amount = spec?.resources?.[list]?.storage;
    if (amount === undefined || quantityAt(parseQuantity(amount), -3) % 1000n === 0n) return [];
    const field = `${path}.resources.${list}[storage]`;
    return [`${field}: fractional byte value ${goQuote(amount)} is invalid, must be an integer`];
  });
}
