import { FloatLiteral } from "../lib/float-literal.ts";

/** A value of the wrong JSON type, on its way up to where its path is known. */
export class TypeMismatch extends Error {
  readonly #value: string;
  readonly #goType: string;
  #struct = "";
  readonly #fields: string[] = [];

  /** `exact` shows a number's text, as Go does where it wanted another kind of number. */
  constructor(value: unknown, goType: string, exact = false) {
    super();
    this.#value = describeValue(value, exact);
    this.#goType = goType;
  }

  /** Go names the innermost struct and all fields on the way to it, but no indices and no map keys. */
  within(struct: string, field: string): void {
    if (this.#fields.length === 0) this.#struct = struct;
    this.#fields.unshift(field);
  }

  describe(): string {
    const target =
      this.#fields.length === 0
        ? `Go value of type ${this.#goType}`
        : `Go struct field ${this.#struct}.${this.#fields.join(".")} of type ${this.#goType}`;
    return `json: cannot unmarshal ${this.#value} into ${target}`;
  }
}

function describeValue(value: unknown, exact: boolean): string {
  if (Array.isArray(value)) return "array";
  if (value instanceof FloatLiteral) return exact ? `number ${value.text}` : "number";
  switch (typeof value) {
    case "number":
    case "bigint":
      return exact ? `number ${value}` : "number";
    case "boolean":
      return "bool";
    case "string":
      return "string";
    default:
      return value === null ? "null" : "object";
  }
}
