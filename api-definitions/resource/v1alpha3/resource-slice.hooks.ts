import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import { defaultTaintTimes } from "../v1beta1/device-taint-defaults.ts";
import type { ResourceSlice } from "./resource-slice.ts";

export const hooks = hooksFor<ResourceSlice>({
  /** Devices of this version are basic, whether they say so or not. */
  defaults: ({ spec }) => {
    for (const device of spec?.devices ?? []) device.basic ??= {};
  },
  defaultTimes: ({ spec }, now) =>
    defaultTaintTimes(
      spec?.devices?.map(({ basic }) => basic ?? {}),
      now,
    ),
});
