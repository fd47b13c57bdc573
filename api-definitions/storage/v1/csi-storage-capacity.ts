import type { LabelSelector } from "../../meta/v1/label-selector.ts";
import type { Namespaced } from "../../meta/v1/type-meta.ts";
import { kind, type Quantity } from "../../vocabulary.ts";

/** How much storage a driver has left in a place. */
export interface CSIStorageCapacity extends Namespaced {
  /** The place. */
  nodeTopology?: LabelSelector;
  /** The class it is about. */
  storageClassName: string;
  /** How much is left. */
  capacity?: Quantity;
  /** How big a volume can be. */
  maximumVolumeSize?: Quantity;
}

export const csiStorageCapacity = kind<CSIStorageCapacity>({
  plural: "csistoragecapacities",
  conditionalUpdate: true,
  introduced: "1.24",
});
