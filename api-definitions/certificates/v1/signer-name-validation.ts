import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { goQuote } from "../../../runtime/go/quote.ts";
import { invalidField, requiredField, tooLongField } from "../../../runtime/values/field-errors.ts";
import { checkDnsLabel, checkSubdomain, type NameCheck } from "../../../runtime/values/names.ts";

const MAX_DOMAIN = 253;
const MAX_PATH = MAX_DOMAIN + 63 + 1;

/** Validates the name of a signer: a domain and a path, such as `example.com/my-signer`. */
export function validateSignerName(name: string, field: string, errors: FieldError[]): void {
  if (name === "") {
    errors.push(requiredField(field));
    return;
  }
  const [domain = "", path, ...more] = name.split("/");
  if (path === undefined || more.length > 0) {
    const detail = "must be a fully qualified domain and path of the form 'example.com/signer-name'";
    errors.push(invalidField(field, name, detail));
    return;
  }
  if (Buffer.byteLength(domain) > MAX_DOMAIN) errors.push(tooLongField(field, MAX_DOMAIN));
  validateParts(domain, checkDnsLabel, field, errors);
  if (!domain.includes(".")) {
    errors.push(invalidField(field, domain, "should be a domain with at least two segments separated by dots"));
  }
  validateParts(path, checkSubdomain, field, errors);
  const limit = MAX_DOMAIN + MAX_PATH + 1;
  if (Buffer.byteLength(name) > limit) errors.push(tooLongField(field, limit));
}

/** Only the first invalid part is reported. */
function validateParts(text: string, check: NameCheck, field: string, errors: FieldError[]): void {
  const bad = text.split(".").find((part) => check(part).length > 0);
  if (bad === undefined) return;
  for (const problem of check(bad)) {
    errors.push(invalidField(field, text, `validating label ${goQuote(bad)}: ${problem}`));
  }
}
