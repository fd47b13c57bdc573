import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { equalMeaning } from "../../../runtime/values/equal-meaning.ts";
import { collectErrors, forbiddenField, requiredField } from "../../../runtime/values/field-errors.ts";
import { validateDriver, validateParameters } from "../v1/class-validation.ts";
import type { VolumeAttributesClass } from "./volume-attributes-class.ts";

export const hooks = kindHooks<VolumeAttributesClass>({
  validate: (attributes) => collectErrors((errors) => validateAttributes(attributes, errors)),
  validation: {
    update: (attributes, old) =>
      (["driverName", "parameters"] as const).flatMap((name) =>
        equalMeaning(attributes[name], old[name]) ? [] : [forbiddenField(name, `updates to ${name} are forbidden.`)],
      ),
  },
  compatibility: {
    // Kubernetes validates the class twice here and reports every error twice.
    order: {
      update: ["metadataAsNew", "declared", "validate", "metadataAsChange", "update", "metadataAsNew", "validate"],
    },
  },
});

function validateAttributes({ driverName = "", parameters = {} }: VolumeAttributesClass, errors: FieldError[]): void {
  validateDriver(driverName, "driverName", errors);
  validateParameters(parameters, "parameters", errors);
  if (Object.keys(parameters).length === 0) {
    errors.push(requiredField("parameters", "must contain at least one key/value pair"));
  }
}
