import { ValidationAction } from "../../../generated/values/admissionregistration.v1.ts";
import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { goTexts, shown } from "../../../runtime/go/literal.ts";
import {
  duplicateField,
  forbiddenField,
  invalidField,
  invalidFields,
  requiredField,
  unsupportedField,
} from "../../../runtime/values/field-errors.ts";
import { checkPathSegment, checkSubdomain } from "../../../runtime/values/names.ts";
import { repeats } from "../../../runtime/values/repeats.ts";
import { validateLabelSelector } from "../../meta/v1/label-selector-validation.ts";
import { validateMatchResources } from "./rule-validation.ts";
import type { ParamRef, ValidatingAdmissionPolicyBindingSpec } from "./validating-admission-policy-binding.ts";

const ACTIONS = [...ValidationAction].sort();
const NOT_FOUND_ACTIONS = ["Deny", "Allow"];

export function validateBindingSpec(
  spec: ValidatingAdmissionPolicyBindingSpec,
  path: string,
  errors: FieldError[],
): void {
  validatePolicyName(spec.policyName ?? "", `${path}.policyName`, errors);
  if (spec.paramRef !== undefined) validateParamRef(spec.paramRef, `${path}.paramRef`, errors);
  validateMatchResources(spec.matchResources, `${path}.matchResources`, errors);
  validateActions(spec.validationActions ?? [], `${path}.validationActions`, errors);
}

export function validatePolicyName(name: string, field: string, errors: FieldError[]): void {
  if (name === "") errors.push(requiredField(field));
  else errors.push(...invalidFields(field, name, checkSubdomain(name)));
}

/** Validates the reference to parameter objects: by name or by label selector. */
export function validateParamRef(reference: ParamRef, path: string, errors: FieldError[]): void {
  const { name = "", selector } = reference;
  const action: string = reference.parameterNotFoundAction ?? "";
  const exclusive = "name and selector are mutually exclusive";
  if (name !== "") {
    errors.push(...invalidFields(`${path}.name`, name, checkPathSegment(name)));
    if (selector !== undefined) errors.push(forbiddenField(`${path}.name`, exclusive));
  }
  if (selector !== undefined) {
    validateLabelSelector(selector, `${path}.selector`, errors);
    if (name !== "") errors.push(forbiddenField(`${path}.selector`, exclusive));
  } else if (name === "") {
    errors.push(requiredField(path, "one of name or selector must be specified"));
  }
  const field = `${path}.parameterNotFoundAction`;
  if (action === "") errors.push(requiredField(field));
  else if (!NOT_FOUND_ACTIONS.includes(action)) errors.push(unsupportedField(field, action, NOT_FOUND_ACTIONS));
}

function validateActions(actions: readonly string[], path: string, errors: FieldError[]): void {
  const isRepeated = repeats<string>();
  for (const [index, action] of actions.entries()) {
    if (!ACTIONS.includes(action)) errors.push(unsupportedField(`${path}[${index}]`, action, ACTIONS));
    if (isRepeated(action)) errors.push(duplicateField(`${path}[${index}]`, action));
  }
  if (actions.includes("Deny") && actions.includes("Warn")) {
    const value = shown(goTexts(actions).replace("[]string", "[]admissionregistration.ValidationAction"));
    const detail =
      "must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)";
    errors.push(invalidField(path, value, detail));
  }
  if (actions.length === 0) errors.push(requiredField(path, "at least one validation action is required"));
}
