import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import { isDefaultClass } from "./default-class.ts";
import type { StorageClass } from "./storage-class.ts";

export const hooks = hooksFor<StorageClass>({
  cells: (storageClass) => ({
    Name: isDefaultClass(storageClass.metadata)
      ? `${storageClass.metadata?.name} (default)`
      : storageClass.metadata?.name,
    ReclaimPolicy: storageClass.reclaimPolicy ?? "Delete",
    VolumeBindingMode: storageClass.volumeBindingMode ?? "Immediate",
    AllowVolumeExpansion: storageClass.allowVolumeExpansion ?? false,
  }),
});
