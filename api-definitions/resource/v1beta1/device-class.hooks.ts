import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import { collectErrors } from "../../../runtime/lib/collect-errors.ts";
import { equalJson } from "../../../runtime/lib/equal-json.ts";
import { MAX_CONFIGURATIONS, validateConfiguration, validateEach } from "./device-checks.ts";
import type { DeviceClass, DeviceClassSpec } from "./device-class.ts";
import { validateSelectors } from "./device-selector-validation.ts";

export const hooks = hooksFor<DeviceClass>({
  validate: ({ spec }) => collectErrors((errors) => validateClassSpec(spec ?? {}, undefined, errors)),
  // Kubernetes checks a changed class as a new one first, then the change: clients see causes twice.
  validateUpdate: ({ spec }, old) =>
    collectErrors((errors) => {
      validateClassSpec(spec ?? {}, undefined, errors);
      validateClassSpec(spec ?? {}, old.spec ?? {}, errors);
    }),
});

/** What did not change counts as stored. */
function validateClassSpec(spec: DeviceClassSpec, old: DeviceClassSpec | undefined, errors: FieldError[]): void {
  const isStored = (part: keyof DeviceClassSpec) => old !== undefined && equalJson(spec[part], old[part]);
  validateSelectors(spec.selectors, isStored("selectors"), "spec.selectors", errors);
  validateEach(
    spec.config,
    MAX_CONFIGURATIONS,
    (configuration, at, found) => validateConfiguration(configuration, isStored("config"), at, found),
    "spec.config",
    errors,
  );
}
