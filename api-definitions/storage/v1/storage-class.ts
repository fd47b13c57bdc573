import type { PersistentVolumeReclaimPolicy } from "../../core/v1/persistent-volume.ts";
import type { TopologySelectorTerm } from "../../core/v1/scheduling.ts";
import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { type Default, kind, type ListAtomic } from "../../vocabulary.ts";

export interface StorageClass extends ClusterScoped {
  provisioner: string;
  parameters?: Record<string, string>;
  reclaimPolicy?: PersistentVolumeReclaimPolicy & Default<"Delete">;
  mountOptions?: ListAtomic<string>;
  allowVolumeExpansion?: boolean;
  volumeBindingMode?: VolumeBindingMode & Default<"Immediate">;
  allowedTopologies?: ListAtomic<TopologySelectorTerm>;
}

export type VolumeBindingMode = "Immediate" | "WaitForFirstConsumer";

export const storageClass = kind<StorageClass>({
  plural: "storageclasses",
  returnsDeleted: true,
  shortNames: ["sc"],
  introduced: "1.6",
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name" },
    { name: "Provisioner", type: "string", path: ".provisioner" },
    { name: "ReclaimPolicy", type: "string" },
    { name: "VolumeBindingMode", type: "string" },
    { name: "AllowVolumeExpansion", type: "string" },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp" },
  ],
});
