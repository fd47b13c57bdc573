import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { type Always, type Int32, kind, type ListAtomic, type ListMap, type PatchMerge } from "../../vocabulary.ts";

/** Drivers that are installed on a node. */
export interface CSINode extends ClusterScoped {
  /** What is asked for. */
  spec: CSINodeSpec;
}

/** The drivers of a node. */
export interface CSINodeSpec {
  /** The drivers. */
  drivers: ListMap<CSINodeDriver, "name"> & PatchMerge<"name">;
}

/** A driver on a node. */
export interface CSINodeDriver {
  /** Its name. */
  name: string;
  /** What the driver calls the node. */
  nodeID: string;
  /** Node labels that say where its volumes can be reached. */
  topologyKeys?: ListAtomic<string> & Always;
  /** How much the node can take. */
  allocatable?: VolumeNodeResources;
}

/** How much a node can take. */
export interface VolumeNodeResources {
  /** How many volumes. */
  count?: Int32;
}

export const csiNode = kind<CSINode>({
  plural: "csinodes",
  conditionalUpdate: true,
  introduced: "1.17",
  returnsDeleted: true,
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "Drivers", type: "integer", description: "How many drivers there are." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
  ],
});
