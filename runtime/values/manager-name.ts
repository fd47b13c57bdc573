import type { FieldError } from "../contract/field-error.ts";
import { goQuote } from "../go/quote.ts";

const MAX_BYTES = 128;
const SHOWN_LENGTH = 1024;

/** Matches nearly all names: short and printable. They need no further checks. */
const SIMPLE = /^[ -~]{0,128}$/;

/** Equivalent to Go's unicode.IsPrint: letters, marks, numbers, punctuation, symbols and the plain space. */
const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

/** Most characters are ASCII, and V8 takes milliseconds to compile the pattern. */
const isPrintable = (char: string): boolean => (char >= " " && char <= "~") || PRINTABLE.test(char);

/** Returns the field manager of a request: the parameter `fieldManager`, or else the User-Agent up to its first slash. */
export function managerFromRequest(fieldManager: string | undefined, userAgent: string | undefined): string {
  return fieldManager || nameInUserAgent(userAgent ?? "");
}

/** Removes unprintable characters, and truncates the name to the maximum length of a manager. */
function nameInUserAgent(userAgent: string): string {
  const [product = ""] = userAgent.split("/", 1);
  if (SIMPLE.test(product)) return product;
  let name = "";
  let bytes = 0;
  for (const char of product) {
    if (!isPrintable(char)) continue;
    bytes += Buffer.byteLength(char);
    if (bytes > MAX_BYTES) break;
    name += char;
  }
  return name;
}

/** Validates the manager name of a request. `field` names its source. */
export function validateFieldManager(name: string, field = "fieldManager"): FieldError[] {
  if (SIMPLE.test(name)) return [];
  const errors: FieldError[] = [];
  if (Buffer.byteLength(name) > MAX_BYTES) {
    errors.push({ field, reason: "FieldValueTooLong", message: `Too long: may not be more than ${MAX_BYTES} bytes` });
  }
  // Every error contains the name, so a very long name gets only this one.
  if (name.length > SHOWN_LENGTH) return errors;
  let position = 0;
  for (const char of name) {
    if (!isPrintable(char)) {
      const message = `invalid character ${unicodeName(char)} (at position ${position})`;
      errors.push({ field, reason: "FieldValueInvalid", message: `Invalid value: ${goQuote(name)}: ${message}` });
    }
    position += Buffer.byteLength(char);
  }
  return errors;
}

function unicodeName(char: string): string {
  return `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
