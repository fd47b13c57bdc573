import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { equalMeaning } from "../../../runtime/values/equal-meaning.ts";
import { collectErrors } from "../../../runtime/values/field-errors.ts";
import { MAX_CONFIGURATIONS, validateConfiguration, validateEach } from "./device-checks.ts";
import type { DeviceClass, DeviceClassSpec } from "./device-class.ts";
import { validateSelectors } from "./device-selector-validation.ts";

export const hooks = kindHooks<DeviceClass>({
  validate: ({ spec }, { release }) =>
    collectErrors((errors) => validateClassSpec(spec ?? {}, undefined, release, errors)),
  validation: {
    update: ({ spec }, old, { release }) =>
      collectErrors((errors) => validateClassSpec(spec ?? {}, old.spec ?? {}, release, errors)),
  },
  compatibility: {
    // Kubernetes checks a changed class as a new one first, then the change: clients see causes twice.
    order: { update: ["metadataAsNew", "declared", "validate", "metadataAsChange", "update"] },
  },
});

/** Parts that did not change are validated as stored ones, with fewer restrictions. */
function validateClassSpec(
  spec: DeviceClassSpec,
  old: DeviceClassSpec | undefined,
  release: string,
  errors: FieldError[],
): void {
  const isStored = (part: keyof DeviceClassSpec) => old !== undefined && equalMeaning(spec[part], old[part]);
  validateSelectors(spec.selectors, { isStored: isStored("selectors"), release }, "spec.selectors", errors);
  validateEach(
    spec.config,
    MAX_CONFIGURATIONS,
    (configuration, at, found) => validateConfiguration(configuration, isStored("config"), at, found),
    "spec.config",
    errors,
  );
}
