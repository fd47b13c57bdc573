import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { invalidFields, requiredField } from "../../../runtime/values/field-errors.ts";
import { checkPathSegment, checkSubdomain } from "../../../runtime/values/names.ts";

/** Validates a reference to an object by group, kind and name. */
export function validateTypedReference(
  reference: { readonly apiGroup?: string | null; readonly kind?: string; readonly name?: string },
  path: string,
  errors: FieldError[],
): void {
  const { apiGroup } = reference;
  if (apiGroup !== undefined && apiGroup !== null) {
    errors.push(...invalidFields(`${path}.apiGroup`, apiGroup, checkSubdomain(apiGroup)));
  }
  for (const part of ["kind", "name"] as const) {
    const value = reference[part] ?? "";
    if (value === "") errors.push(requiredField(`${path}.${part}`, `${part} is required`));
    else errors.push(...invalidFields(`${path}.${part}`, value, checkPathSegment(value)));
  }
}
