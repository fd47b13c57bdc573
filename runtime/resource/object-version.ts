import { goQuote } from "../go/quote.ts";
import { plainFailure } from "../values/status-errors.ts";

const LIMIT = 1n << 64n;

/** The version that an object says it has; 0 for none. Throws for what is no number of 64 bits, as Go does. */
export function objectVersion(text = ""): bigint {
  if (text === "") return 0n;
  const isNumber = /^\d+$/.test(text);
  if (isNumber && BigInt(text) < LIMIT) return BigInt(text);
  const why = isNumber ? "value out of range" : "invalid syntax";
  throw plainFailure(`strconv.ParseUint: parsing ${goQuote(text)}: ${why}`);
}
