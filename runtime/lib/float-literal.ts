/**
 * A JSON number with a fraction or exponent whose value is whole (`1.0`, `1e2`) or out of range (`1e400`). Go rejects such a literal for an
 * integer, so the parser keeps its text for the decoder. JSON.stringify prints its value.
 */
export class FloatLiteral extends Number {
  readonly text: string;

  constructor(text: string) {
    super(Number(text));
    this.text = text;
  }
}

/** Thrown for a number beyond the range of a double, where Go would convert it to one. */
export class FloatRangeError extends Error {
  readonly code = "FloatRange";

  constructor(number: string) {
    super(`json: cannot unmarshal number ${shownNumber(number)} into Go value of type float64`);
    this.name = "FloatRangeError";
  }
}

/** Formats a number for errors. Very long ones are truncated. */
export function shownNumber(number: string): string {
  return number.length > 400 ? `${number.slice(0, 40)}...` : number;
}

/** Returns the value of a literal. Throws `FloatRangeError`. */
export function finiteNumber(literal: FloatLiteral): number {
  const value = literal.valueOf();
  if (!Number.isFinite(value)) throw new FloatRangeError(literal.text);
  return value;
}

/** Returns a value with every float literal replaced by a plain number, or the value itself if it contains none. Throws `FloatRangeError`. */
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
