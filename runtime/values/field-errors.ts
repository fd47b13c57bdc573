import type { FieldError } from "../contract/field-error.ts";
import { goSyntax } from "../go/format.ts";
import { goQuote } from "../go/quote.ts";
import { Verbatim } from "../go/verbatim.ts";
import type { JsonValue } from "../lib/json-object.ts";

/** Number of errors of an object after which checks of long lists and maps end. A response lists fewer. */
const ENOUGH_ERRORS = 10_000;

/** Whether an object has so many errors that no more entries need to be checked. */
export function isEnough(errors: readonly FieldError[]): boolean {
  return errors.length >= ENOUGH_ERRORS;
}

/** Errors that the current check has produced. */
let made: FieldError[] | undefined;

/** Thrown to end a check that has produced enough errors. */
class EnoughErrors extends Error {
  readonly errors: readonly FieldError[];

  constructor(errors: readonly FieldError[]) {
    super("a check found very many errors");
    this.errors = errors;
  }
}

/** Runs a check, and ends it when it has produced more errors than a response lists. Returns the result of the check, or its errors so far. */
export function untilEnough<T>(check: () => T): T | readonly FieldError[] {
  const outer = made;
  made = [];
  try {
    return check();
  } catch (error) {
    if (error instanceof EnoughErrors) return error.errors;
    throw error;
  } finally {
    made = outer;
  }
}

function fieldError(field: string, reason: FieldError["reason"], message: string): FieldError {
  const error: FieldError = { field, reason, message };
  if (made !== undefined && made.push(error) >= ENOUGH_ERRORS) throw new EnoughErrors(made);
  return error;
}

/**
 * Builds a field error with the message of Kubernetes, like the other builders below. `field` is the path as clients see it:
 * `spec.ports[0].name`, `metadata.labels[foo]`. The detail may be empty.
 */
export function requiredField(field: string, detail = ""): FieldError {
  return fieldError(field, "FieldValueRequired", withDetail("Required value", detail));
}

export function invalidField(field: string, value: unknown, detail: string): FieldError {
  return fieldError(field, "FieldValueInvalid", withDetail(`Invalid value: ${showValue(value)}`, detail));
}

/** For values that must not appear in messages. */
export function invalidFieldWithoutValue(field: string, detail: string): FieldError {
  return fieldError(field, "FieldValueInvalid", withDetail("Invalid value", detail));
}

export function forbiddenField(field: string, detail: string): FieldError {
  return fieldError(field, "FieldValueForbidden", withDetail("Forbidden", detail));
}

export function duplicateField(field: string, value: unknown): FieldError {
  return fieldError(field, "FieldValueDuplicate", `Duplicate value: ${showValue(value)}`);
}

export function notFoundField(field: string, value: unknown, detail = ""): FieldError {
  return fieldError(field, "FieldValueNotFound", withDetail(`Not found: ${showValue(value)}`, detail));
}

/** `supported` is listed in the given order. Kubernetes usually sorts it. */
export function unsupportedField(field: string, value: unknown, supported: readonly string[]): FieldError {
  const detail = supported.length === 0 ? "" : `supported values: ${supported.map(goQuote).join(", ")}`;
  return fieldError(field, "FieldValueNotSupported", withDetail(`Unsupported value: ${showValue(value)}`, detail));
}

export function tooLongField(field: string, maximum: number): FieldError {
  const detail = maximum < 0 ? "value is too long" : `may not be more than ${maximum} bytes`;
  return fieldError(field, "FieldValueTooLong", withDetail("Too long", detail));
}

export function tooManyField(field: string, actual: number, maximum: number): FieldError {
  return fieldError(field, "FieldValueTooMany", `Too many: ${actual}: must have at most ${maximum} items`);
}

export function typeInvalidField(field: string, value: unknown, detail: string): FieldError {
  return fieldError(field, "FieldValueTypeInvalid", withDetail(`Invalid value: ${showValue(value)}`, detail));
}

export function internalErrorField(field: string, detail: string): FieldError {
  return fieldError(field, "InternalError", withDetail("Internal error", detail));
}

/** Returns one error per problem that a check of `names.ts` or `formats.ts` found. */
export function invalidFields(field: string, value: unknown, problems: readonly string[]): FieldError[] {
  return problems.map((problem) => invalidField(field, value, problem));
}

/** Formats a value as in messages: strings quoted, other scalars plain, lists of strings and other values in Go notation. */
function showValue(value: unknown): string {
  switch (typeof value) {
    case "string":
      return goQuote(value);
    case "number":
    case "bigint":
    case "boolean":
      return goSyntax(value);
    default:
      if (value instanceof Verbatim) return value.text;
      if (Array.isArray(value) && value.every((item) => typeof item === "string"))
        return `[]string{${value.map(goQuote).join(", ")}}`;
      return value === null || value === undefined ? '"null"' : goSyntax(value as JsonValue);
  }
}

function withDetail(message: string, detail: string): string {
  return detail === "" ? message : `${message}: ${detail}`;
}

/** Runs checks that append errors to a list, and returns the list. */
export function collectErrors(check: (errors: FieldError[]) => void): FieldError[] {
  const errors: FieldError[] = [];
  check(errors);
  return errors;
}
