import { trimEndOf } from "../lib/trim-character.ts";

/**
 * Quantities with a suffix (`500m`, `2Gi`, `1e3`): parsed, compared and printed as in Kubernetes, so that `1000m` becomes `1` and `1024Mi`
 * becomes `1Gi`. Exact at any size.
 */
export type QuantityFormat = "DecimalSI" | "BinarySI" | "DecimalExponent";

/** The value is unscaled × 10^scale. */
export interface Quantity {
  readonly unscaled: bigint;
  readonly scale: number;
  readonly format: QuantityFormat;
  /** The original text, if Kubernetes considers it canonical and keeps it. */
  readonly text?: string;
  /** Whether the value needs more digits or precision than Kubernetes' 64-bit representation has. */
  readonly isBig?: boolean;
}

export class QuantityError extends Error {
  readonly code = "Quantity";

  constructor(message: string) {
    super(message);
    this.name = "QuantityError";
  }
}

const WRONG_FORMAT = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const WRONG_SUFFIX = "unable to parse quantity's suffix";
const SYNTAX = /^([+-]?)([0-9]*)(?:\.([0-9]*))?((?:[eEinumkKMGTP]+[-+]?|[-+])[0-9]*)?$/;

const DECIMAL_SUFFIXES = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"];
const BINARY_SUFFIXES = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
/**
 * Quantities must be below 1e1000. Kubernetes has no limit and takes minutes for some larger ones; arithmetic below the limit takes
 * microseconds. Of a longer fraction, only matters that it is not zero: it is rounded up.
 */
const MOST_DIGITS = 1000;
const TOO_LARGE = `quantities must be smaller than 1e${MOST_DIGITS}`;
/** Number of digits that always fit into 64 bits. Beyond it, Kubernetes uses arbitrary precision and rounds up to nano. */
const FAST_DIGITS = 18;
const NANO = -9;
const MAX_BINARY = 2n ** 63n - 1n;

export const ZERO_QUANTITY: Quantity = { unscaled: 0n, scale: 0, format: "DecimalSI" };

/** Cache of parsed quantities: objects use the same few quantities repeatedly. */
const parsed = new Map<string, Quantity>();
const MAX_PARSED = 1024;
const MAX_PARSED_LENGTH = 16;

/** Parses a quantity. Throws `QuantityError` with the message of Kubernetes. */
export function parseQuantity(text: string): Quantity {
  let quantity = parsed.get(text);
  if (quantity === undefined) {
    quantity = parseAnew(text);
    if (parsed.size >= MAX_PARSED) parsed.clear();
    if (text.length <= MAX_PARSED_LENGTH) parsed.set(text, quantity);
  }
  return quantity;
}

function parseAnew(text: string): Quantity {
  const match = text.length === 0 ? null : SYNTAX.exec(text);
  if (match === null) throw new QuantityError(WRONG_FORMAT);
  const [, sign = "", digits = "", decimals = "", suffix = ""] = match;
  const whole = digits.replace(/^0+/, "") || "0";
  const fraction = shortFraction(decimals);
  const { base, exponent, format } = interpretSuffix(suffix);
  if (base === 2 && whole.length > MOST_DIGITS) return largestBinary(sign === "-");
  if (base === 10 && whole.length + Math.max(exponent, 0) > MOST_DIGITS && (whole !== "0" || /[1-9]/.test(fraction)))
    throw new QuantityError(TOO_LARGE);
  const shifted = whole + fraction;
  const magnitude = BigInt(shifted);
  const signed = sign === "-" ? -magnitude : magnitude;
  if (base === 10) return decimal(text, signed, shifted, exponent - fraction.length, format);
  return binary(text, signed, whole, fraction, exponent);
}

function shortFraction(decimals: string): string {
  if (decimals.length <= 2 * MOST_DIGITS) return decimals;
  return decimals.slice(0, 2 * MOST_DIGITS) + (/[1-9]/.test(decimals.slice(2 * MOST_DIGITS)) ? "1" : "");
}

function largestBinary(negative: boolean): Quantity {
  return { unscaled: negative ? -MAX_BINARY : MAX_BINARY, scale: 0, format: "BinarySI", isBig: true };
}

function decimal(text: string, signed: bigint, shifted: string, scale: number, format: QuantityFormat): Quantity {
  if (shifted.length > FAST_DIGITS || scale < NANO)
    return roundUpToNano({ unscaled: signed, scale, format, isBig: true });
  const keepsText = text === "0" || (scale % 3 === 0 && !shifted.endsWith("000") && !shifted.startsWith("0"));
  return keepsText ? { unscaled: signed, scale, format, text } : { unscaled: signed, scale, format };
}

function binary(text: string, signed: bigint, whole: string, fraction: string, exponent: number): Quantity {
  const factor = 1n << BigInt(exponent);
  const fits = fraction === "" && 14 - whole.length - Math.trunc((exponent * 3) / 10) >= 0;
  if (fits) {
    const exact = { unscaled: signed * factor, scale: 0, format: "BinarySI" } as const;
    return (signed & 7n) !== 0n ? { ...exact, text } : exact;
  }
  const isBig = true;
  const rounded = roundUpToNano({ unscaled: signed * factor, scale: -fraction.length, format: "BinarySI", isBig });
  const size = absolute(rounded);
  if (compareQuantities(size, { unscaled: MAX_BINARY, scale: 0, format: "BinarySI" }) > 0) {
    return largestBinary(signed < 0n);
  }
  const belowOne = signed !== 0n && compareQuantities(size, { unscaled: 1n, scale: 0, format: "DecimalSI" }) < 0;
  return belowOne ? { ...rounded, format: "DecimalSI" } : rounded;
}

function interpretSuffix(suffix: string): { base: 2 | 10; exponent: number; format: QuantityFormat } {
  const decimalIndex = DECIMAL_SUFFIXES.indexOf(suffix);
  if (decimalIndex >= 0) return { base: 10, exponent: decimalIndex * 3 - 9, format: "DecimalSI" };
  const binaryIndex = BINARY_SUFFIXES.indexOf(suffix);
  if (binaryIndex >= 0) return { base: 2, exponent: binaryIndex * 10, format: "BinarySI" };
  if (/^[eE][-+]?[0-9]+$/.test(suffix)) {
    const exponent = Number(suffix.slice(1));
    // Larger exponents are rejected and smaller ones rounded, which these bounds are sufficient for.
    const bounded = Math.min(Math.max(exponent, -4 * MOST_DIGITS), 4 * MOST_DIGITS);
    return { base: 10, exponent: bounded, format: "DecimalExponent" };
  }
  throw new QuantityError(WRONG_SUFFIX);
}

/** Rounds up to a billionth, so that a smaller quantity does not become zero. */
function roundUpToNano(quantity: Quantity): Quantity {
  if (quantity.scale >= NANO) return quantity;
  const divisor = 10n ** BigInt(NANO - quantity.scale);
  let unscaled = quantity.unscaled / divisor;
  if (unscaled * divisor !== quantity.unscaled) unscaled += quantity.unscaled < 0n ? -1n : 1n;
  return { ...quantity, unscaled, scale: NANO };
}

function absolute(quantity: Quantity): Quantity {
  return quantity.unscaled < 0n ? { ...quantity, unscaled: -quantity.unscaled } : quantity;
}

export function compareQuantities(a: Quantity, b: Quantity): -1 | 0 | 1 {
  const scale = Math.min(a.scale, b.scale);
  const x = a.unscaled * 10n ** BigInt(a.scale - scale);
  const y = b.unscaled * 10n ** BigInt(b.scale - scale);
  return x < y ? -1 : x > y ? 1 : 0;
}

/** Returns the sum, in the format of the first quantity that is not zero. */
export function addQuantities(a: Quantity, b: Quantity): Quantity {
  const scale = Math.min(a.scale, b.scale);
  const unscaled = a.unscaled * 10n ** BigInt(a.scale - scale) + b.unscaled * 10n ** BigInt(b.scale - scale);
  return { unscaled, scale, format: a.unscaled === 0n ? b.format : a.format };
}

/** Returns the quantity in units of 10^scale, rounded away from zero. */
export function quantityAt(quantity: Quantity, scale = 0): bigint {
  const shift = quantity.scale - scale;
  if (shift >= 0) return quantity.unscaled * 10n ** BigInt(shift);
  const divisor = 10n ** BigInt(-shift);
  const result = quantity.unscaled / divisor;
  if (result * divisor === quantity.unscaled) return result;
  return result + (quantity.unscaled < 0n ? -1n : 1n);
}

/** Formats a quantity canonically: without fraction, with the largest suffix that keeps the number whole. */
export function formatQuantity(quantity: Quantity): string {
  if (quantity.text !== undefined) return quantity.text;
  if (quantity.unscaled === 0n) return "0";
  if (quantity.format === "BinarySI") {
    const value = quantityAt(quantity);
    const size = value < 0n ? -value : value;
    const exact = quantity.scale >= 0 || value * 10n ** BigInt(-quantity.scale) === quantity.unscaled;
    if (size >= 1024n && exact) return formatBinary(value);
  }
  return formatDecimal(quantity);
}

function formatBinary(value: bigint): string {
  let amount = value;
  let power = 0;
  while (amount % 1024n === 0n && power < BINARY_SUFFIXES.length - 1) {
    amount /= 1024n;
    power++;
  }
  return `${amount}${BINARY_SUFFIXES[power]}`;
}

function formatDecimal(quantity: Quantity): string {
  const digits = quantity.unscaled.toString();
  const needed = trimEndOf(digits, "0");
  let amount = BigInt(needed);
  let exponent = quantity.scale + digits.length - needed.length;
  while (exponent % 3 !== 0 || (quantity.format !== "DecimalExponent" && exponent > 18)) {
    amount *= 10n;
    exponent--;
  }
  if (quantity.format === "DecimalExponent") return exponent === 0 ? `${amount}` : `${amount}e${exponent}`;
  return `${amount}${DECIMAL_SUFFIXES[exponent / 3 + 3]}`;
}

/** Returns the canonical form of a quantity's text. Common quantities are cached. */
export function canonicalQuantity(text: string): string {
  const known = remembered.get(text);
  if (known !== undefined) return known;
  const canonical = formatQuantity(parseQuantity(text));
  if (remembered.size < REMEMBERED_LIMIT && text.length <= 16) remembered.set(text, canonical);
  return canonical;
}

const REMEMBERED_LIMIT = 4096;
const remembered = new Map<string, string>();
