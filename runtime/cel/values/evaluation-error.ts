import { goFloat } from "../../go/float.ts";

export type EvaluationErrorCode =
  | "no_such_overload"
  | "no_such_key"
  | "no_such_attribute"
  | "index_out_of_bounds"
  | "division_by_zero"
  | "overflow"
  | "conversion"
  | "invalid_argument"
  | "cost_exceeded";

/** The reason why an evaluation has no value. Clients of Kubernetes see the message. */
export class EvaluationError extends Error {
  readonly code: EvaluationErrorCode;

  constructor(code: EvaluationErrorCode, message: string) {
    super(message);
    this.code = code;
  }

  override get name(): string {
    return "EvaluationError";
  }
}

export const noSuchOverload = (): EvaluationError => new EvaluationError("no_such_overload", "no such overload");

export const noSuchKey = (key: unknown): EvaluationError =>
  new EvaluationError("no_such_key", `no such key: ${keyText(key)}`);

const keyText = (key: unknown): string =>
  typeof key === "number" && !Number.isInteger(key) ? goFloat(key) : String(key);

export const invalidArgument = (message: string): EvaluationError => new EvaluationError("invalid_argument", message);

export const conversionError = (message: string): EvaluationError => new EvaluationError("conversion", message);

/** The error of a string that is not a valid value of a type. */
export const noneOfType = (type: string): EvaluationError =>
  conversionError(`type conversion error from 'string' to '${type}'`);

export const overflow = (message = "integer overflow"): EvaluationError => new EvaluationError("overflow", message);

export const costExceeded = (): EvaluationError =>
  new EvaluationError("cost_exceeded", "operation cancelled: actual cost limit exceeded");

/** Maximum length of a computed string. Where Kubernetes charges for results at all, a longer string exceeds the cost limit. */
const MOST_CHARACTERS = 5_000_000;

/** Throws if a result would be too long. */
export function boundLength(characters: number): void {
  if (characters > MOST_CHARACTERS) throw costExceeded();
}
