/**
 * A JSON number written with a fraction or an exponent whose value is whole (`1.0`, `1e2`) or out of range (`1e400`). Go
 * refuses such a literal where an integer is declared, so the parser keeps the text for the decoder to judge. JSON.stringify prints its value.
 */
export class FloatLiteral extends Number {
  readonly text: string;

  constructor(text: string) {
    super(Number(text));
    this.text = text;
  }
}

/** A number that no double can hold, where Go would make one of it. */
export class FloatRangeError extends Error {
  readonly code = "FloatRange";

  constructor(number: string) {
    super(`json: cannot unmarshal number ${shownNumber(number)} into Go value of type float64`);
    this.name = "FloatRangeError";
  }
}

/** A number as errors show it: a very long one is truncated. */
export function shownNumber(number: string): string {
  return number.length > 400 ? `${number.slice(0, 40)}...` : number;
}

/** The number a literal stands for. Throws `FloatRangeError`. */
export function finiteNumber(literal: FloatLiteral): number {
  const value = literal.valueOf();
  if (!Number.isFinite(value)) throw new FloatRangeError(literal.text);
  return value;
}

/**
 * The value with every float literal replaced by the plain number it stands for: itself where it holds none. Throws
 * `FloatRangeError`.
 */
export function withoutFloatLiterals(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof FloatLiteral) return finiteNumber(value);
  if (Array.isArray(value)) {
    const items = value.map(withoutFloatLiterals);
    return items.every((item, i) => item === value[i]) ? value : items;
  }
  const entries = Object.entries(value);
  const plain = entries.map(([key, child]) => [key, withoutFloatLiterals(child)] as const);
  return plain.every(([, child], i) => child === entries[i]?.[1]) ? value : Object.fromEntries(plain);
}
