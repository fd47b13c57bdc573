import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import type { VolumeAttachment } from "./volume-attachment.ts";

export const hooks = hooksFor<VolumeAttachment>({
  cells: ({ spec }) => ({ PV: spec.source.persistentVolumeName ?? "" }),
});
