import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { type Default, type Gated, type Int64, kind, type ListAtomic, type Open } from "../../vocabulary.ts";

/** What the cluster should know of a storage driver. */
export interface CSIDriver extends ClusterScoped {
  /** What is asked for. */
  spec: CSIDriverSpec;
}

/** How a driver wants to be used. */
export interface CSIDriverSpec {
  /** Whether volumes must be attached to nodes first. */
  attachRequired?: boolean & Default<true>;
  /** Whether the driver is told about the pod. */
  podInfoOnMount?: boolean & Default<false>;
  /** Whether it offers lasting volumes, volumes of pods, or both. */
  volumeLifecycleModes?: ListAtomic<VolumeLifecycleMode> & Default<["Persistent"]>;
  /** Whether it reports how much storage is left where. */
  storageCapacity?: boolean & Default<false>;
  /** Whether ownership of volumes may be changed. */
  fsGroupPolicy?: FSGroupPolicy & Default<"ReadWriteOnceWithFSType">;
  /** Tokens of the pod's account that it needs. */
  tokenRequests?: ListAtomic<TokenRequest>;
  /** Whether it wants to be called again and again. */
  requiresRepublish?: boolean & Default<false>;
  /** Whether it can mount with an SELinux context. */
  seLinuxMount?: boolean & Default<false> & Gated<"SELinuxMountReadWriteOncePod">;
  /** Seconds between looks at how many volumes nodes can take. */
  nodeAllocatableUpdatePeriodSeconds?: Int64 & Gated<"MutableCSINodeAllocatableCount">;
}

export type VolumeLifecycleMode = Open<"Persistent" | "Ephemeral">;

export type FSGroupPolicy = Open<"ReadWriteOnceWithFSType" | "File" | "None">;

/** A token a driver needs. */
export interface TokenRequest {
  /** Whom the token is meant for. */
  audience: string;
  /** Seconds it is valid. */
  expirationSeconds?: Int64;
}

export const csiDriver = kind<CSIDriver>({
  plural: "csidrivers",
  conditionalUpdate: true,
  introduced: "1.14",
  deprecated: "1.19",
  removed: "1.22",
  replacement: "storage.<domain>/v1 CSIDriver",
  returnsDeleted: true,
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "AttachRequired", type: "boolean", description: "Whether volumes must be attached first." },
    { name: "PodInfoOnMount", type: "boolean", description: "Whether the driver is told about the pod." },
    { name: "StorageCapacity", type: "boolean", description: "Whether the driver reports what is left." },
    { name: "TokenRequests", type: "string", description: "Whom tokens are meant for." },
    { name: "RequiresRepublish", type: "boolean", description: "Whether the driver is called again and again." },
    { name: "Modes", type: "string", description: "Whether volumes last, or live with pods." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
  ],
});
