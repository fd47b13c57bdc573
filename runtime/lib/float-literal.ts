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

/** The value with every float literal replaced by the plain number it stands for. Shares what holds none. */
export function withoutFloatLiterals(value: unknown): unknown {
  if (value instanceof FloatLiteral) return value.valueOf();
  if (Array.isArray(value)) return value.map(withoutFloatLiterals);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, withoutFloatLiterals(child)]));
}
