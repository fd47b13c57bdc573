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

/** The value with every float literal replaced by the plain number it stands for: itself where it holds none. */
export function withoutFloatLiterals(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof FloatLiteral) return value.valueOf();
  if (Array.isArray(value)) {
    const items = value.map(withoutFloatLiterals);
    return items.every((item, i) => item === value[i]) ? value : items;
  }
  const entries = Object.entries(value);
  const plain = entries.map(([key, child]) => [key, withoutFloatLiterals(child)] as const);
  return plain.every(([, child], i) => child === entries[i]?.[1]) ? value : Object.fromEntries(plain);
}
