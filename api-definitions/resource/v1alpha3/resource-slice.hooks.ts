import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import { defaultTaintTimes } from "../v1beta1/device-taint-defaults.ts";
import type { ResourceSlice } from "./resource-slice.ts";

export const hooks = hooksFor<ResourceSlice>({
  defaultTimes: ({ spec }, now) =>
    defaultTaintTimes(
      spec?.devices?.map(({ basic }) => basic ?? {}),
      now,
    ),
});
