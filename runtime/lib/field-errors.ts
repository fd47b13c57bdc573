import type { FieldError, FieldErrorReason } from "../contract/field-error.ts";
import { goQuote } from "./go-quote.ts";

/**
 * Field errors in the words Kubernetes uses. `field` is the path of the refused value: `spec.containers[0].name`,
 * `metadata.labels[app]`.
 */

/** A value whose text in a message is given as it stands: how Go prints a struct, or `null`. */
export class Verbatim {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** What a message can show of the refused value. Objects and lists are shown as JSON; pass a Verbatim for Go's own notation. */
export type BadValue = unknown;

export function required(field: string, detail = ""): FieldError {
  return error(field, "FieldValueRequired", "Required value", detail);
}

export function invalid(field: string, value: BadValue, detail = ""): FieldError {
  return error(field, "FieldValueInvalid", `Invalid value: ${shown(value)}`, detail);
}

export function typeInvalid(field: string, value: BadValue, detail = ""): FieldError {
  return error(field, "FieldValueTypeInvalid", `Invalid value: ${shown(value)}`, detail);
}

export function duplicate(field: string, value: BadValue): FieldError {
  return error(field, "FieldValueDuplicate", `Duplicate value: ${shown(value)}`, "");
}

export function notFound(field: string, value: BadValue): FieldError {
  return error(field, "FieldValueNotFound", `Not found: ${shown(value)}`, "");
}

/** Supported values are listed in the order given; Kubernetes usually sorts them. */
export function notSupported(field: string, value: BadValue, supported: readonly string[]): FieldError {
  const detail = supported.length === 0 ? "" : `supported values: ${supported.map(goQuote).join(", ")}`;
  return error(field, "FieldValueNotSupported", `Unsupported value: ${shown(value)}`, detail);
}

export function forbidden(field: string, detail: string): FieldError {
  return error(field, "FieldValueForbidden", "Forbidden", detail);
}

export function tooLong(field: string, maxBytes: number): FieldError {
  return error(field, "FieldValueTooLong", "Too long", `may not be more than ${maxBytes} bytes`);
}

export function tooMany(field: string, actual: number, max: number): FieldError {
  return error(field, "FieldValueTooMany", `Too many: ${actual}`, `must have at most ${max} items`);
}

export function internalError(field: string, detail: string): FieldError {
  return error(field, "InternalError", "Internal error", detail);
}

/** One `invalid` for each message a check returned. */
export function invalidEach(field: string, value: BadValue, messages: readonly string[]): FieldError[] {
  return messages.map((message) => invalid(field, value, message));
}

function error(field: string, reason: FieldErrorReason, body: string, detail: string): FieldError {
  return { field, reason, message: detail === "" ? body : `${body}: ${detail}` };
}

function shown(value: BadValue): string {
  if (value === undefined || value === null) return '"null"';
  if (value instanceof Verbatim) return value.text;
  if (typeof value === "string") return goQuote(value);
  if (typeof value === "object") return JSON.stringify(value);
  return String(value);
}
