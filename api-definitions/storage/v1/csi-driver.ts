import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import {
  type Default,
  type Gated,
  type Int64,
  kind,
  type ListAtomic,
  type ListSet,
  type Open,
  type Since,
} from "../../vocabulary.ts";

/**
 * Properties of a CSI driver that is installed in the cluster: how Kubernetes calls it and what it needs. Deployed
 * together with the driver; its name must be the name that the driver reports. Drivers without this object get the
 * defaults.
 */
export interface CSIDriver extends ClusterScoped {
  /** Desired state of the CSIDriver. */
  spec: CSIDriverSpec;
}

/** Properties of a CSI driver, set by its vendor. */
export interface CSIDriverSpec {
  /**
   * Whether volumes must be attached to a node, through a VolumeAttachment, before they are mounted. `false` skips this
   * step for drivers without attach operation. Cannot be changed after creation.
   */
  attachRequired?: boolean & Default<true>;
  /**
   * Whether the kubelet passes name, namespace, UID and service account of the pod to the driver when it mounts a
   * volume.
   */
  podInfoOnMount?: boolean & Default<false>;
  /**
   * Kinds of volumes that the driver supports: `Persistent` for PersistentVolumes and their claims, `Ephemeral` for
   * volumes that are defined in the pod itself and exist as long as it does. Cannot be changed after creation.
   */
  volumeLifecycleModes?: ListSet<VolumeLifecycleMode> & Default<["Persistent"]>;
  /**
   * Whether the scheduler considers the free storage that the driver reports in CSIStorageCapacity objects, for volumes
   * with `WaitForFirstConsumer`. Set it only if the driver's deployment creates these objects: without them pods are
   * not scheduled.
   */
  storageCapacity?: boolean & Default<false> & Since<"1.19">;
  /** Whether the kubelet changes ownership and permissions of volumes according to `fsGroup` of the pod. */
  fsGroupPolicy?: FSGroupPolicy & Default<"ReadWriteOnceWithFSType"> & Since<"1.19">;
  /**
   * Service account tokens of the pod that the kubelet passes to the driver when it mounts a volume. Audiences must be
   * unique. Combine it with `requiresRepublish`, so that the driver gets new tokens before the old ones expire.
   */
  tokenRequests?: ListAtomic<TokenRequest> & Since<"1.20">;
  /**
   * Whether the kubelet calls `NodePublishVolume` of the driver periodically for mounted volumes, so that it can update
   * their content. Changes must not affect the mount point itself.
   */
  requiresRepublish?: boolean & Default<false> & Since<"1.20">;
  /**
   * Whether the driver's volumes can be mounted with an SELinux context (`-o context`), which replaces relabelling of
   * every file. Otherwise the container runtime relabels them.
   */
  seLinuxMount?: boolean & Default<false> & Gated<"SELinuxMountReadWriteOncePod">;
  /**
   * Seconds between updates of `allocatable` in CSINode objects for this driver. Must be at least 10. Unset means that
   * it is set at registration only.
   */
  nodeAllocatableUpdatePeriodSeconds?: Int64 & Gated<"MutableCSINodeAllocatableCount">;
}

export type VolumeLifecycleMode = Open<
  /** Volumes of PersistentVolumes and their claims. */
  | "Persistent"
  /** Volumes that are defined in the pod itself and exist as long as it does. */
  | "Ephemeral"
>;

export type FSGroupPolicy = Open<
  /** Only if the volume has a file system type and the access mode `ReadWriteOnce`. */
  | "ReadWriteOnceWithFSType"
  /** Always, whatever the file system and the access mode. */
  | "File"
  /** Never. */
  | "None"
>;

/** A service account token that a CSI driver needs. */
export interface TokenRequest {
  /** Audience that the token is issued for. Empty means the default audiences of the API server. */
  audience: string;
  /** Lifetime of the token in seconds, from 600 to 4294967296. Unset means 3600 (1 hour). */
  expirationSeconds?: Int64;
}

export const csiDriver = kind<CSIDriver>({
  plural: "csidrivers",
  conditionalUpdate: true,
  introduced: "1.18",
  returnsDeleted: true,
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    {
      name: "AttachRequired",
      type: "boolean",
      description: "Whether volumes must be attached to the node before they are mounted.",
    },
    {
      name: "PodInfoOnMount",
      type: "boolean",
      description: "Whether the driver gets the name and namespace of the pod.",
    },
    {
      name: "StorageCapacity",
      type: "boolean",
      description: "Whether the scheduler considers the capacity that the driver reports.",
    },
    {
      name: "TokenRequests",
      type: "string",
      description: "Audiences of the service account tokens that the driver gets.",
    },
    {
      name: "RequiresRepublish",
      type: "boolean",
      description: "Whether the driver is called periodically for mounted volumes.",
    },
    {
      name: "Modes",
      type: "string",
      description: "Whether the driver supports persistent volumes, ephemeral ones, or both.",
    },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
  ],
});
