import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import { defaultTaintTimes } from "../v1beta1/device-taint-defaults.ts";
import type { ResourceSlice } from "./resource-slice.ts";

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
});
