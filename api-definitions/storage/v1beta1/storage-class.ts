import type { PersistentVolumeReclaimPolicy } from "../../core/v1/persistent-volume.ts";
import type { TopologySelectorTerm } from "../../core/v1/scheduling.ts";
import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { type Default, type Immutable, kind, type ListAtomic, type Open, type Since } from "../../vocabulary.ts";

/**
 * A class of storage from which volumes are provisioned on demand. Claims name it in `storageClassName`. The class with
 * the annotation `storageclass.kubernetes.io/is-default-class: "true"` is used for claims that name none.
 */
export interface StorageClass extends ClusterScoped {
  /**
   * Name of the provisioner that creates the volumes, usually that of a CSI driver. `kubernetes.io/no-provisioner`
   * disables dynamic provisioning. Cannot be changed after creation.
   */
  provisioner: string;
  /**
   * Parameters for the provisioner, such as the disk type; their meaning is up to it. At most 512 entries and 256 KiB.
   * Cannot be changed after creation.
   */
  parameters?: Record<string, string>;
  /**
   * Reclaim policy of the volumes that are provisioned: `Delete` or `Retain`; `Recycle` is not allowed here. Cannot be
   * changed after creation.
   */
  reclaimPolicy?: PersistentVolumeReclaimPolicy & Default<"Delete">;
  /**
   * Mount options of the volumes that are provisioned, such as `ro`. They are not validated: mounting fails if one of
   * them is invalid.
   */
  mountOptions?: ListAtomic<string>;
  /** Whether bound claims of this class may request more storage. Unset means `false`. */
  allowVolumeExpansion?: boolean;
  /** When volumes are provisioned and bound to their claims. */
  volumeBindingMode?: VolumeBindingMode & Default<"Immediate"> & Immutable & Since<"1.9">;
  /**
   * Topologies, such as zones, to which provisioning is restricted. A volume is provisioned in a topology that matches
   * one of the terms. Unset means any. Usually combined with `volumeBindingMode: WaitForFirstConsumer`.
   */
  allowedTopologies?: ListAtomic<TopologySelectorTerm> & Since<"1.11">;
}

export type VolumeBindingMode = Open<
  /** As soon as the claim is created. */
  | "Immediate"
  /** When the first pod that uses the claim is scheduled, so that the volume is reachable from the pod's node. */
  | "WaitForFirstConsumer"
>;

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
    { name: "Provisioner", type: "string", path: ".provisioner", description: "Provisioner that creates the volumes." },
    { name: "ReclaimPolicy", type: "string", description: "What happens to a volume when its claim is deleted." },
    { name: "VolumeBindingMode", type: "string", description: "When volumes are provisioned and bound." },
    { name: "AllowVolumeExpansion", type: "string", description: "Whether claims may be expanded." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
  ],
});
