import type { PersistentVolumeReclaimPolicy } from "../../core/v1/persistent-volume.ts";
import type { TopologySelectorTerm } from "../../core/v1/scheduling.ts";
import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { type Default, type Immutable, kind, type ListAtomic, type Open } from "../../vocabulary.ts";

/** A way to make volumes on demand. */
export interface StorageClass extends ClusterScoped {
  /** Who makes them. */
  provisioner: string;
  /** Settings for the maker. */
  parameters?: Record<string, string>;
  /** What becomes of volumes whose claim is gone. */
  reclaimPolicy?: PersistentVolumeReclaimPolicy & Default<"Delete">;
  /** Options to mount them with. */
  mountOptions?: ListAtomic<string>;
  /** Whether claims may grow. */
  allowVolumeExpansion?: boolean;
  /** Whether volumes are made at once, or when a pod needs them. */
  volumeBindingMode?: VolumeBindingMode & Default<"Immediate"> & Immutable;
  /** Places where they may be made. */
  allowedTopologies?: ListAtomic<TopologySelectorTerm>;
}

export type VolumeBindingMode = Open<"Immediate" | "WaitForFirstConsumer">;

export const storageClass = kind<StorageClass>({
  plural: "storageclasses",
  shortNames: ["sc"],
  introduced: "1.4",
  deprecated: "1.19",
  removed: "1.22",
  replacement: "storage.<domain>/v1 StorageClass",
  returnsDeleted: true,
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "Provisioner", type: "string", path: ".provisioner", description: "Who makes the volumes." },
    { name: "ReclaimPolicy", type: "string", description: "What becomes of volumes whose claim is gone." },
    { name: "VolumeBindingMode", type: "string", description: "When volumes are made." },
    { name: "AllowVolumeExpansion", type: "string", description: "Whether claims may grow." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
  ],
});
