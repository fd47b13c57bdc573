import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { collectErrors } from "../../../runtime/values/field-errors.ts";
import { defaultTaintTimes } from "./device-taint-defaults.ts";
import type { ResourceSlice, ResourceSliceSpec } from "./resource-slice.ts";
import { validateSliceSpec } from "./resource-slice-validation.ts";

const NO_SPEC = {} as ResourceSliceSpec;

export const hooks = kindHooks<ResourceSlice>({
  /** Every device of this version has `basic`, which defaults to an empty object. */
  default: ({ spec }) => {
    for (const device of spec?.devices ?? []) device.basic ??= {};
  },
  validate: ({ spec }) => collectErrors((errors) => validateSliceSpec(spec ?? NO_SPEC, undefined, "spec", errors)),
  defaults: {
    times: ({ spec }, now) =>
      defaultTaintTimes(
        spec?.devices?.map(({ basic }) => basic ?? {}),
        now,
      ),
  },
  validation: {
    update: ({ spec }, old) =>
      collectErrors((errors) => validateSliceSpec(spec ?? NO_SPEC, old.spec ?? NO_SPEC, "spec", errors)),
  },
  compatibility: {
    order: { update: ["metadataAsChange", "declared", "update"] },
    countsDroppedFields: true,
    unknownField: (field, apiVersion) => `field label not supported for ${apiVersion}, Kind=ResourceSlice: ${field}`,
  },
});
