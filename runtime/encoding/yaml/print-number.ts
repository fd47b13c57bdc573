const LEAST = -(2n ** 63n);
const MOST = 2n ** 64n - 1n;

/** Whole numbers of 64 bits are printed in full, others as Go prints floats: with an exponent from a million on. */
export function printNumber(value: number | bigint | Number): string {
  const number = typeof value === "bigint" ? value : value.valueOf();
  if (typeof number === "bigint" || Number.isInteger(number)) {
    const whole = BigInt(number);
    if (whole >= LEAST && whole <= MOST) return Object.is(number, -0) ? "-0" : String(whole);
  }
  const [digits = "", power = ""] = Number(number).toExponential().split("e");
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 6) return String(Number(number));
  return `${digits}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}
