import type { FieldError } from "../../../contract/field-error.ts";
import {
  invalidField,
  requiredField,
  tooLongField,
  tooManyField,
  typeInvalidField,
  unsupportedField,
} from "../../../values/field-errors.ts";
import { shownAs } from "./shown-as.ts";

/** An error of a value against an OpenAPI schema. `path` is as the schema's own messages show it; `""` is the whole value. */
export interface SchemaProblem {
  readonly path: string;
  readonly text: string;
  /** The field error; `field` is where it belongs, relative to the value that is validated. */
  readonly error: (field: string) => FieldError;
  /** An error about alternatives, which is reported for the whole value. */
  readonly ofWhole?: true;
}

type Build = (field: string, text: string) => FieldError;

function problem(path: string, text: string, build: Build): SchemaProblem {
  const full = `${path} in body ${text}`;
  return { path, text: full, error: (field) => build(field, full) };
}

/** A value of the wrong type, or a string in the wrong format. `found` is what it is instead. */
export function wrongType(path: string, wanted: string, found: string): SchemaProblem {
  return problem(path, `must be of type ${wanted}: ${JSON.stringify(found)}`, (field, text) =>
    typeInvalidField(field, found, text),
  );
}

/** A value that breaks a bound; the value, or its size, is shown. */
export function outOfBounds(path: string, value: unknown, text: string): SchemaProblem {
  return problem(path, text, (field, full) => invalidField(field, value, full));
}

export function missing(path: string): SchemaProblem {
  return problem(path, "is required", (field) => requiredField(field));
}

export function tooLong(path: string, maximum: number): SchemaProblem {
  return problem(path, `should be at most ${maximum} chars long`, (field) => tooLongField(field, maximum));
}

export function tooMany(path: string, count: number, maximum: number, what: "items" | "properties"): SchemaProblem {
  return problem(path, `should have at most ${maximum} ${what}`, (field) => tooManyField(field, count, maximum));
}

export function notInEnum(path: string, value: unknown, values: readonly unknown[]): SchemaProblem {
  const shown = values.map((item) => (typeof item === "string" ? item : JSON.stringify(item)));
  return problem(path, `should be one of ${JSON.stringify(shown)}`, (field) =>
    unsupportedField(field, shownAs(value), shown),
  );
}

export function badFactor(path: string, factor: number): SchemaProblem {
  const text = `factor MultipleOf declared for ${path} must be positive: ${factor}`;
  return { path, text, error: (field) => invalidField(field, factor, text) };
}

/** None, or too many, of several schemas fit. */
export function noAlternative(path: string, text: string): SchemaProblem {
  const full = `${JSON.stringify(path)} ${text}`;
  return { path, text: full, error: (field) => invalidField(field, "", full), ofWhole: true };
}
