import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import {
  type Always,
  type Int32,
  kind,
  type ListAtomic,
  type ListMap,
  type PatchMerge,
  type Since,
} from "../../vocabulary.ts";

/**
 * CSI drivers that are installed on a node. The kubelet creates it under the name of its Node and updates it when
 * drivers register; drivers do not write it themselves.
 */
export interface CSINode extends ClusterScoped {
  /** Drivers of the node, set by the kubelet. */
  spec: CSINodeSpec;
}

/** CSI drivers that are installed on a node. */
export interface CSINodeSpec {
  /**
   * CSI drivers of the node. An entry can be added or removed, but not changed, except for `allocatable` if the feature
   * gate `MutableCSINodeAllocatableCount` is on.
   */
  drivers: ListMap<CSINodeDriver, "name"> & PatchMerge<"name">;
}

/** A CSI driver on a node. */
export interface CSINodeDriver {
  /** Name of the driver, as the driver reports it. */
  name: string;
  /**
   * Identifier of the node from the driver's point of view, at most 256 characters long. May differ from the name of
   * the Node.
   */
  nodeID: string;
  /**
   * Keys of node labels with which the driver expresses where its volumes are reachable, such as
   * `topology.example.com/zone`. Empty if it does not support topology.
   */
  topologyKeys?: ListAtomic<string> & Always;
  /** Resources of the node for volumes of the driver, which the scheduler considers. */
  allocatable?: VolumeNodeResources & Since<"1.16">;
}

/** Resources of a node for the volumes of a CSI driver. */
export interface VolumeNodeResources {
  /**
   * Maximum number of volumes of the driver that can be attached to the node. Must be at least 0. Unset means no limit.
   */
  count?: Int32;
}

export const csiNode = kind<CSINode>({
  plural: "csinodes",
  conditionalUpdate: true,
  introduced: "1.14",
  deprecated: "1.17",
  removed: "1.22",
  replacement: "storage.<domain>/v1 CSINode",
  returnsDeleted: true,
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "Drivers", type: "integer", description: "Number of drivers." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
  ],
});
