import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { defaultTaintTimes } from "../v1beta1/device-taint-defaults.ts";
import type { ResourceSlice } from "./resource-slice.ts";

export const hooks = kindHooks<ResourceSlice>({
  /** Every device of this version has `basic`, which defaults to an empty object. */
  default: ({ spec }) => {
    for (const device of spec?.devices ?? []) device.basic ??= {};
  },
  defaults: {
    times: ({ spec }, now) =>
      defaultTaintTimes(
        spec?.devices?.map(({ basic }) => basic ?? {}),
        now,
      ),
  },
});
