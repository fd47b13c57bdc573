import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import { collectErrors } from "../../../runtime/values/field-errors.ts";
import { defaultTaintTimes } from "./device-taint-defaults.ts";
import type { ResourceSlice, ResourceSliceSpec } from "./resource-slice.ts";
import { validateSliceSpec } from "./resource-slice-validation.ts";

const NO_SPEC = {} as ResourceSliceSpec;

export const hooks = hooksFor<ResourceSlice>({
  /** Every device of this version has `basic`, which defaults to an empty object. */
  defaults: ({ spec }) => {
    for (const device of spec?.devices ?? []) device.basic ??= {};
  },
  defaultTimes: ({ spec }, now) =>
    defaultTaintTimes(
      spec?.devices?.map(({ basic }) => basic ?? {}),
      now,
    ),
  updateChecks: { asNew: 0 },
  countsDroppedFields: true,
  unknownField: (field, apiVersion) => `field label not supported for ${apiVersion}, Kind=ResourceSlice: ${field}`,
  validate: ({ spec }) => collectErrors((errors) => validateSliceSpec(spec ?? NO_SPEC, undefined, "spec", errors)),
  validateUpdate: ({ spec }, old) =>
    collectErrors((errors) => validateSliceSpec(spec ?? NO_SPEC, old.spec ?? NO_SPEC, "spec", errors)),
});
