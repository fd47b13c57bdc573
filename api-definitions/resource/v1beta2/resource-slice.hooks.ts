import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { defaultTaintTimes } from "../v1beta1/device-taint-defaults.ts";
import type { ResourceSlice } from "./resource-slice.ts";

export const hooks = kindHooks<ResourceSlice>({
  defaults: {
    times: ({ spec }, now) => defaultTaintTimes(spec?.devices, now),
  },
});
