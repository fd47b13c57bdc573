import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import type { CSIDriver } from "./csi-driver.ts";

export const hooks = hooksFor<CSIDriver>({
  cells: ({ spec }) => ({
    AttachRequired: spec.attachRequired ?? true,
    PodInfoOnMount: spec.podInfoOnMount ?? false,
    StorageCapacity: spec.storageCapacity ?? false,
    TokenRequests: spec.tokenRequests?.map((request) => request.audience).join(",") ?? "<unset>",
    RequiresRepublish: spec.requiresRepublish ?? false,
    Modes: spec.volumeLifecycleModes?.join(",") || "<none>",
  }),
});
