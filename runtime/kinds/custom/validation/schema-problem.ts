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
 * An error of a value against an OpenAPI schema. `path` is as the schema's own messages show it; `""` is the whole value. Texts are made when
 * they are read: most problems are those of alternatives that do not fit.
 */
export class SchemaProblem {
  readonly path: string;
  /** An error about alternatives, which is reported for the whole value. */
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

  /** The field error; `field` is where it belongs, relative to the value that is validated. */
  error(field: string): FieldError {
    return this.#build(field, this.text);
  }
}

function problem(path: string, textOf: () => string, build: Build): SchemaProblem {
  return new SchemaProblem(path, () => `${path} in body ${textOf()}`, build);
}

/** A value of the wrong type, or a string in the wrong format. `found` is what it is instead. */
export function wrongType(path: string, wanted: string, found: string): SchemaProblem {
  return problem(
    path,
    () => `must be of type ${wanted}: ${JSON.stringify(found)}`,
    (field, text) => typeInvalidField(field, found, text),
  );
}

/** A value that breaks a bound; the value, or its size, is shown. */
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

/** `shown` are the allowed values, and `list` all of them as the message has them. */
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

/** None, or too many, of several schemas fit. */
export function noAlternative(path: string, text: string): SchemaProblem {
  return new SchemaProblem(
    path,
    () => `${JSON.stringify(path)} ${text}`,
    (field, full) => invalidField(field, "", full),
    true,
  );
}
