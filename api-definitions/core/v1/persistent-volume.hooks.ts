import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import type { PersistentVolume } from "./persistent-volume.ts";
import { accessModesText, storageClassOf } from "./volume-text.ts";

export const hooks = hooksFor<PersistentVolume>({
  cells: ({ metadata, spec, status }) => ({
    Capacity: spec?.capacity?.storage ?? "0",
    "Access Modes": accessModesText(spec?.accessModes),
    Status: metadata?.deletionTimestamp ? "Terminating" : (status?.phase ?? ""),
    Claim: spec?.claimRef ? `${spec.claimRef.namespace ?? ""}/${spec.claimRef.name ?? ""}` : "",
    StorageClass: storageClassOf(metadata, spec?.storageClassName),
    VolumeAttributesClass: spec?.volumeAttributesClassName ?? "<unset>",
    VolumeMode: spec?.volumeMode ?? "<unset>",
  }),
});
