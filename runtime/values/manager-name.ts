import type { FieldError } from "../contract/field-error.ts";
import { goQuote } from "../go/quote.ts";

const MAX_BYTES = 128;
const SHOWN_LENGTH = 1024;

/** Short enough, and printable, as nearly all names are: no character needs a closer look. */
const SIMPLE = /^[ -~]{0,128}$/;

/** As Go's unicode.IsPrint: letters, marks, numbers, punctuation, symbols and the plain space. */
const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

/** Most names are ASCII, and V8 takes milliseconds to compile the pattern. */
const isPrintable = (char: string): boolean => (char >= " " && char <= "~") || PRINTABLE.test(char);

/** The manager a request acts for: the `fieldManager` parameter, else the User-Agent up to its first slash. */
export function managerFromRequest(fieldManager: string | undefined, userAgent: string | undefined): string {
  return fieldManager || nameInUserAgent(userAgent ?? "");
}

/** Unprintable characters are dropped, and so is what exceeds the length a manager may have. */
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

/** What is wrong with a manager name that came with a request; `field` is where it came from. */
export function validateFieldManager(name: string, field = "fieldManager"): FieldError[] {
  if (SIMPLE.test(name)) return [];
  const errors: FieldError[] = [];
  if (Buffer.byteLength(name) > MAX_BYTES) {
    errors.push({ field, reason: "FieldValueTooLong", message: `Too long: may not be more than ${MAX_BYTES} bytes` });
  }
  // Every error contains the name: a very long name gets only this one.
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
