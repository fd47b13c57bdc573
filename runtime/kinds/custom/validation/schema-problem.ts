import type { FieldError } from "../../../contract/field-error.ts";
import { shownAs } from "../../../schema/shown-as.ts";
import {
  invalidField,
  requiredField,
  tooLongField,
  tooManyField,
  typeInvalidField,
  unsupportedField,
} from "../../../values/field-errors.ts";

type Build = (field: string, text: string) => FieldError;

/**
 * An error of a value against an OpenAPI schema. `path` is the path that messages about the schema show; `""` is the whole value. Messages are
 * built on access, because most problems are discarded: those of alternatives that do not match.
 */
export class SchemaProblem {
  readonly path: string;
  /** Whether this is an error about alternatives, which is reported for the whole value. */
  readonly ofWhole: boolean;
  readonly #textOf: () => string;
  readonly #build: Build;

  constructor(path: string, textOf: () => string, build: Build, ofWhole = false) {
    this.path = path;
    this.ofWhole = ofWhole;
    this.#textOf = textOf;
    this.#build = build;
  }

  get text(): string {
    return this.#textOf();
  }

  /** Builds the field error. `field` is the path to report, relative to the validated value. */
  error(field: string): FieldError {
    return this.#build(field, this.text);
  }
}

function problem(path: string, textOf: () => string, build: Build): SchemaProblem {
  return new SchemaProblem(path, () => `${path} in body ${textOf()}`, build);
}

/** A value of the wrong type, or a string in the wrong format. `found` is the actual type. */
export function wrongType(path: string, wanted: string, found: string): SchemaProblem {
  return problem(
    path,
    () => `must be of type ${wanted}: ${JSON.stringify(found)}`,
    (field, text) => typeInvalidField(field, found, text),
  );
}

/** A value that violates a bound. The error contains the value or its size. */
export function outOfBounds(path: string, value: unknown, textOf: () => string): SchemaProblem {
  return problem(path, textOf, (field, full) => invalidField(field, value, full));
}

export function missing(path: string): SchemaProblem {
  return problem(
    path,
    () => "is required",
    (field) => requiredField(field),
  );
}

export function tooLong(path: string, maximum: number): SchemaProblem {
  return problem(
    path,
    () => `should be at most ${maximum} chars long`,
    (field) => tooLongField(field, maximum),
  );
}

export function tooMany(path: string, count: number, maximum: number, what: "items" | "properties"): SchemaProblem {
  return problem(
    path,
    () => `should have at most ${maximum} ${what}`,
    (field) => tooManyField(field, count, maximum),
  );
}

/** A value that is not in the enumeration. `shown` are the allowed values; `list` is their text in the message. */
export function notInEnum(path: string, value: unknown, shown: readonly string[], list: string): SchemaProblem {
  return problem(
    path,
    () => `should be one of ${list}`,
    (field) => unsupportedField(field, shownAs(value), shown),
  );
}

export function badFactor(path: string, factor: number): SchemaProblem {
  return new SchemaProblem(
    path,
    () => `factor MultipleOf declared for ${path} must be positive: ${factor}`,
    (field, text) => invalidField(field, factor, text),
  );
}

/** None of several schemas matches, or too many of them. */
export function noAlternative(path: string, text: string): SchemaProblem {
  return new SchemaProblem(
    path,
    () => `${JSON.stringify(path)} ${text}`,
    (field, full) => invalidField(field, "", full),
    true,
  );
}
