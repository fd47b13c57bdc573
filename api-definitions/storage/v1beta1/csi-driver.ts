import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { type Default, type Gated, type Int64, kind, type ListAtomic, type Open } from "../../vocabulary.ts";

export interface CSIDriver extends ClusterScoped {
  spec: CSIDriverSpec;
}

export interface CSIDriverSpec {
  attachRequired?: boolean & Default<true>;
  podInfoOnMount?: boolean & Default<false>;
  volumeLifecycleModes?: ListAtomic<VolumeLifecycleMode> & Default<["Persistent"]>;
  storageCapacity?: boolean & Default<false>;
  fsGroupPolicy?: FSGroupPolicy & Default<"ReadWriteOnceWithFSType">;
  tokenRequests?: ListAtomic<TokenRequest>;
  requiresRepublish?: boolean & Default<false>;
  seLinuxMount?: boolean & Default<false> & Gated<"SELinuxMountReadWriteOncePod">;
  nodeAllocatableUpdatePeriodSeconds?: Int64 & Gated<"MutableCSINodeAllocatableCount">;
}

export type VolumeLifecycleMode = Open<"Persistent" | "Ephemeral">;

export type FSGroupPolicy = Open<"ReadWriteOnceWithFSType" | "File" | "None">;

export interface TokenRequest {
  audience: string;
  expirationSeconds?: Int64;
}

export const csiDriver = kind<CSIDriver>({
  plural: "csidrivers",
  returnsDeleted: true,
  introduced: "1.14",
  deprecated: "1.19",
  removed: "1.22",
  replacement: "storage.<domain>/v1 CSIDriver",
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name" },
    { name: "AttachRequired", type: "boolean" },
    { name: "PodInfoOnMount", type: "boolean" },
    { name: "StorageCapacity", type: "boolean" },
    { name: "TokenRequests", type: "string" },
    { name: "RequiresRepublish", type: "boolean" },
    { name: "Modes", type: "string" },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp" },
  ],
});
