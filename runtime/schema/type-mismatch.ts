import { FloatLiteral } from "../lib/float-literal.ts";

/** Kinds of Go types. `itself` stands for types with their own UnmarshalJSON. */
export type GoKind =
  | "struct"
  | "map"
  | "slice"
  | "string"
  | "bool"
  | "uint8"
  | "int32"
  | "int64"
  | "float64"
  | "itself";

/** A value of the wrong JSON type. Its path is completed while the error propagates. */
export class TypeMismatch extends Error {
  readonly #value: string;
  readonly #goType: string;
  readonly #given: string;
  readonly #wanted: GoKind;
  #struct = "";
  readonly #fields: string[] = [];

  /** If `exact` is set, the message contains a number's text, as Go's does if it expected a different kind of number. */
  constructor(value: unknown, goType: string, wanted: GoKind, exact = false) {
    super();
    this.#value = describeValue(value, exact);
    this.#goType = goType;
    this.#given = goKind(value);
    this.#wanted = wanted;
  }

  /** Adds a field to the path. Go's message contains the innermost struct and all fields on the path, but no indices and no map keys. */
  within(struct: string, field: string): void {
    if (this.#fields.length === 0) this.#struct = struct;
    this.#fields.unshift(field);
  }

  /** Clears the path. Only fields that are added later appear in the message. */
  forgetPlace(): void {
    this.#fields.length = 0;
  }

  describe(): string {
    const target =
      this.#fields.length === 0
        ? `Go value of type ${this.#goType}`
        : `Go struct field ${this.#struct}.${this.#fields.join(".")} of type ${this.#goType}`;
    return `json: cannot unmarshal ${this.#value} into ${target}`;
  }

  /** Like `describe`, for a value that is already parsed: Go's message for filling a struct from a map. */
  describeRestoring(): string {
    const [given, wanted] = [this.#given, this.#wanted];
    if (wanted === "itself") return `json: cannot unmarshal ${this.#value} into Go value of type ${this.#goType}`;
    if (wanted === "struct") return `cannot restore struct from: ${given}`;
    if (wanted === "map" || wanted === "slice") return `cannot restore ${wanted} from ${given}`;
    const isNumber = given === "int64" || given === "float64";
    const converts = wanted === "string" ? given === "int64" : wanted !== "bool" && isNumber;
    return converts ? `cannot convert ${given} to ${this.#goType}` : `unrecognized type: ${wanted}`;
  }
}

function goKind(value: unknown): string {
  if (Array.isArray(value)) return "slice";
  if (value instanceof FloatLiteral) return "float64";
  switch (typeof value) {
    case "number":
      return Number.isInteger(value) ? "int64" : "float64";
    case "bigint":
      return BigInt.asIntN(64, value) === value ? "int64" : "float64";
    case "boolean":
      return "bool";
    default:
      return typeof value === "string" ? "string" : "map";
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
