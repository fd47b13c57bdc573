import type { LabelSelector } from "../../meta/v1/label-selector.ts";
import type { Namespaced } from "../../meta/v1/type-meta.ts";
import { kind, type Quantity, type Since } from "../../vocabulary.ts";

/**
 * Free storage of a StorageClass in a part of the cluster. CSI driver deployments create these objects; the scheduler
 * considers them for drivers with `storageCapacity: true`, and picks nodes from which enough storage is reachable.
 * Usually there is one for each class and topology segment.
 */
export interface CSIStorageCapacity extends Namespaced {
  /**
   * Label selector for the nodes from which the storage is reachable. An empty selector matches all nodes; unset
   * matches none. Cannot be changed after creation.
   */
  nodeTopology?: LabelSelector;
  /**
   * Name of the StorageClass that the storage is for. Must be a DNS subdomain; the class need not exist. Cannot be
   * changed after creation.
   */
  storageClassName: string;
  /**
   * Free storage in bytes, as the driver reports it. Unset means that it is not known, and then the scheduler considers
   * it insufficient unless `maximumVolumeSize` is set.
   */
  capacity?: Quantity;
  /**
   * Size in bytes of the largest volume that can be created. May be less than `capacity` if the storage is fragmented.
   * If set, the scheduler compares it with the size of the claim instead of `capacity`.
   */
  maximumVolumeSize?: Quantity & Since<"1.21">;
}

export const csiStorageCapacity = kind<CSIStorageCapacity>({
  plural: "csistoragecapacities",
  conditionalUpdate: true,
  introduced: "1.19",
  deprecated: "1.21",
  removed: "1.24",
  replacement: "storage.<domain>/v1beta1 CSIStorageCapacity",
  offByDefault: true,
});
