import type { FieldError } from "../../../runtime/contract/field-error.ts";
import {
  collectErrors,
  forbiddenField,
  invalidField,
  invalidFields,
  requiredField,
} from "../../../runtime/values/field-errors.ts";
import { checkLabelValue, checkQualifiedName } from "../../../runtime/values/names.ts";
import type { LabelSelector } from "./label-selector.ts";

/** Labels, or a map that selects by labels: keys are qualified names, values label values. */
export function validateLabels(
  labels: Readonly<Record<string, string>> | undefined,
  path: string,
  errors: FieldError[],
): void {
  for (const key in labels) {
    const value = labels[key] as string;
    const problems = [checkQualifiedName(key), checkLabelValue(value)] as const;
    if (problems[0].length > 0) errors.push(...invalidFields(path, key, problems[0]));
    if (problems[1].length > 0) errors.push(...invalidFields(path, value, problems[1]));
  }
}

export function validateLabelName(name: string, path: string, errors: FieldError[]): void {
  errors.push(...invalidFields(path, name, checkQualifiedName(name)));
}

/** `isLenient` skips the validation of values in expressions: see `isUnsoundSelector`. */
export function validateLabelSelector(
  selector: LabelSelector | undefined | null,
  path: string,
  errors: FieldError[],
  isLenient = false,
): void {
  if (selector === undefined || selector === null) return;
  validateLabels(selector.matchLabels, `${path}.matchLabels`, errors);
  for (const [index, { key, operator, values = [] }] of (selector.matchExpressions ?? []).entries()) {
    const at = `${path}.matchExpressions[${index}]`;
    switch (operator) {
      case "In":
      case "NotIn":
        if (values.length === 0)
          errors.push(requiredField(`${at}.values`, "must be specified when `operator` is 'In' or 'NotIn'"));
        break;
      case "Exists":
      case "DoesNotExist":
        if (values.length > 0)
          errors.push(
            forbiddenField(`${at}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"),
          );
        break;
      default:
        errors.push(invalidField(`${at}.operator`, operator, "not a valid selector operator"));
    }
    validateLabelName(key, `${at}.key`, errors);
    for (const [position, value] of isLenient ? [] : values.entries())
      errors.push(...invalidFields(`${at}.values[${position}]`, value, checkLabelValue(value)));
  }
}

/** Earlier releases did not validate values in selectors: an object that is stored with invalid values may be updated with them. */
export function isUnsoundSelector(selector: LabelSelector | undefined | null): boolean {
  return collectErrors((errors) => validateLabelSelector(selector, "", errors)).length > 0;
}
