import { goQuote } from "./quote.ts";

const INT64_DIGITS = 19;

/** Parses a decimal string like Go's strconv.ParseInt. Returns an int64, or the error message. */
export function parseGoInt(text: string): bigint | string {
  const refuse = (why: string) => `strconv.ParseInt: parsing ${goQuote(text)}: ${why}`;
  if (!/^[+-]?\d+$/.test(text)) return refuse("invalid syntax");
  const digits = text.replace(/^[+-]?0*/, "");
  if (digits.length > INT64_DIGITS) return refuse("value out of range");
  const value = BigInt(`${text.startsWith("-") ? "-" : ""}${digits || "0"}`);
  return BigInt.asIntN(64, value) === value ? value : refuse("value out of range");
}
