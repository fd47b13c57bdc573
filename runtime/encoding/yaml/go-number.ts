/** Digits as Go reads integers of any base: a prefix says which, a leading zero says eight. */
const INTEGER = /^([-+]?)(0[xX][\da-fA-F]+|0[bB][01]+|0[oO]?[0-7]+|0|[1-9]\d*)$/;
const FLOAT = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;
const LEAST = -(2n ** 63n);
const MOST = 2n ** 64n - 1n;

/**
 * The number that a plain scalar of YAML is to Go's parser; undefined where it is none to it. Integers that fit into 64
 * bits are kept, larger ones become floats, and what is too large even for those stays text.
 */
export function goNumber(source: string): number | bigint | undefined {
  if (!/^[-+.\d]/.test(source)) return undefined;
  const plain = source.startsWith(".") ? source : source.replaceAll("_", "");
  const integer = integerOf(plain);
  if (integer !== undefined) return Number.isSafeInteger(Number(integer)) ? Number(integer) : integer;
  const float = FLOAT.test(plain) ? Number(plain) : Number.NaN;
  return Number.isFinite(float) ? float : undefined;
}

function integerOf(plain: string): bigint | undefined {
  const [, sign, digits] = INTEGER.exec(plain) ?? [];
  if (digits === undefined || isBeyond64Bits(digits)) return undefined;
  const size = BigInt(/^0\d/.test(digits) ? `0o${digits.slice(1)}` : digits);
  const value = sign === "-" ? -size : size;
  const fits = value >= LEAST && value <= (sign === "" ? MOST : 2n ** 63n - 1n);
  return fits ? value : undefined;
}

/** Whether there are more digits than any integer of 64 bits has in its base: making a number of very many takes more than linear time. */
function isBeyond64Bits(digits: string): boolean {
  if (digits.length <= 20) return false;
  const significant = digits.replace(/^0[xXbBoO]?0*/, "").length;
  return significant > (/^0[bB]/.test(digits) ? 64 : 22);
}
