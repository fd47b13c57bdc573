import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { type Always, type Int32, kind, type ListAtomic, type ListMap, type PatchMerge } from "../../vocabulary.ts";

export interface CSINode extends ClusterScoped {
  spec: CSINodeSpec;
}

export interface CSINodeSpec {
  drivers: ListMap<CSINodeDriver, "name"> & PatchMerge<"name">;
}

export interface CSINodeDriver {
  name: string;
  nodeID: string;
  topologyKeys?: ListAtomic<string> & Always;
  allocatable?: VolumeNodeResources;
}

export interface VolumeNodeResources {
  count?: Int32;
}

export const csiNode = kind<CSINode>({
  plural: "csinodes",
  returnsDeleted: true,
  introduced: "1.14",
  deprecated: "1.17",
  removed: "1.22",
  replacement: "storage.<domain>/v1 CSINode",
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name" },
    { name: "Drivers", type: "integer" },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp" },
  ],
});
