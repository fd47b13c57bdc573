import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { METADATA_AS_CHANGE, METADATA_AS_NEW } from "../../../runtime/contract/update-order.ts";
import { equalMeaning } from "../../../runtime/values/equal-meaning.ts";
import { collectErrors, forbiddenField, requiredField } from "../../../runtime/values/field-errors.ts";
import { validateDriver, validateParameters } from "../v1/class-validation.ts";
import type { VolumeAttributesClass } from "./volume-attributes-class.ts";

export const hooks = kindHooks<VolumeAttributesClass>({
  validate: (attributes) => collectErrors((errors) => validateAttributes(attributes, errors)),
  validation: {
    // Kubernetes validates the class twice here and reports every error twice.
    update: (attributes, old) =>
      collectErrors((errors) => {
        errors.push(METADATA_AS_NEW);
        validateAttributes(attributes, errors);
        errors.push(METADATA_AS_CHANGE);
        for (const name of ["driverName", "parameters"] as const) {
          if (!equalMeaning(attributes[name], old[name])) {
            errors.push(forbiddenField(name, `updates to ${name} are forbidden.`));
          }
        }
        errors.push(METADATA_AS_NEW);
        validateAttributes(attributes, errors);
      }),
  },
});

function validateAttributes({ driverName = "", parameters = {} }: VolumeAttributesClass, errors: FieldError[]): void {
  validateDriver(driverName, "driverName", errors);
  validateParameters(parameters, "parameters", errors);
  if (Object.keys(parameters).length === 0) {
    errors.push(requiredField("parameters", "must contain at least one key/value pair"));
  }
}
