import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import type { PersistentVolumeClaim } from "./persistent-volume-claim.ts";
import { accessModesText, storageClassOf } from "./volume-text.ts";

export const hooks = hooksFor<PersistentVolumeClaim>({
  cells: ({ metadata, spec, status }) => {
    const bound = (spec?.volumeName ?? "") !== "";
    return {
      Status: metadata?.deletionTimestamp ? "Terminating" : (status?.phase ?? ""),
      Capacity: bound ? (status?.capacity?.storage ?? "0") : "",
      "Access Modes": bound ? accessModesText(status?.accessModes) : "",
      StorageClass: storageClassOf(metadata, spec?.storageClassName),
      VolumeAttributesClass: spec?.volumeAttributesClassName ?? "<unset>",
      VolumeMode: spec?.volumeMode ?? "<unset>",
    };
  },
});
