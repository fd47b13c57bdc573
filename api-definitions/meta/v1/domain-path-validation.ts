import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { invalidField, invalidFields, requiredField } from "../../../runtime/values/field-errors.ts";
import { checkSubdomain } from "../../../runtime/values/names.ts";

const PATH = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
const PATH_PATTERN = new RegExp(`^${PATH}$`);

/** Validates a path with a domain as prefix, such as `example.com/thing`. */
export function validateDomainPrefixedPath(value: string, field: string, errors: FieldError[]): void {
  if (value === "") {
    errors.push(requiredField(field));
    return;
  }
  const slash = value.indexOf("/");
  const domain = value.slice(0, Math.max(slash, 0));
  const path = value.slice(slash + 1);
  if (domain === "" || path === "") {
    errors.push(invalidField(field, value, 'must be a domain-prefixed path (such as "acme.io/foo")'));
    return;
  }
  errors.push(...invalidFields(field, domain, checkSubdomain(domain)));
  if (!PATH_PATTERN.test(path)) {
    errors.push(invalidField(field, path, `Invalid path (regex used for validation is '${PATH}')`));
  }
}
