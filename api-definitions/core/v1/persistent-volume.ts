import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import {
  type Always,
  type Default,
  kind,
  type ListAtomic,
  type OmitZero,
  type Since,
  type StructGranular,
  type Time,
} from "../../vocabulary.ts";
import type { PersistentVolumeAccessMode, PersistentVolumeMode } from "./persistent-volume-claim.ts";
import type { PersistentVolumeSource } from "./persistent-volume-sources.ts";
import type { ObjectReference } from "./references.ts";
import type { ResourceList } from "./resources.ts";
import type { NodeSelector } from "./scheduling.ts";

/**
 * A piece of storage in the cluster with a lifecycle of its own, created by an administrator or by a provisioner for a
 * StorageClass. Pods use it through a PersistentVolumeClaim that is bound to it.
 */
export interface PersistentVolume extends ClusterScoped {
  /** Desired state of the PersistentVolume. */
  spec?: PersistentVolumeSpec & Always;
  /** Observed state of the PersistentVolume, set by the volume controller: its phase and the reason of a failure. */
  status?: PersistentVolumeStatus & Always;
}

/**
 * Size, use and location of a PersistentVolume. Exactly one volume source, such as `csi` or `nfs`, must be set; it
 * cannot be changed after creation, except that `controllerExpandSecretRef` may be added to `csi`.
 */
export interface PersistentVolumeSpec extends PersistentVolumeSource {
  /**
   * Size of the volume, as `storage`. Required; no other resource is allowed, and the size must be greater than 0.
   * Controllers increase it when the volume is expanded.
   */
  capacity?: ResourceList;
  /**
   * Ways in which the volume can be mounted. At least one is required; `ReadWriteOncePod` cannot be combined with
   * others. A claim is bound only if all of its access modes are listed here.
   *
   * - `ReadWriteOnce`: for reading and writing, by one node at a time; several pods on that node can use it.
   * - `ReadOnlyMany`: for reading, by many nodes.
   * - `ReadWriteMany`: for reading and writing, by many nodes.
   * - `ReadWriteOncePod`: for reading and writing, by one pod at a time. Supported by CSI drivers only.
   */
  accessModes?: ListAtomic<PersistentVolumeAccessMode>;
  /**
   * Claim that the volume is bound to, set by the volume controller. Set `namespace` and `name` in advance to reserve
   * the volume for a claim. The volume counts as bound only if the claim refers to it in `volumeName`.
   */
  claimRef?: StructGranular<ObjectReference>;
  /**
   * What happens to the volume when its claim is deleted. Defaults to `Retain`; provisioned volumes get the policy of
   * their StorageClass. May be changed at any time.
   */
  persistentVolumeReclaimPolicy?: PersistentVolumeReclaimPolicy & OmitZero;
  /**
   * StorageClass that the volume belongs to; only claims with the same class are bound to it. Empty means no class, for
   * claims whose class is the empty string.
   */
  storageClassName?: string & OmitZero;
  /**
   * Mount options, such as `ro` or `nfsvers=4.1`. They are not validated: mounting fails if one of them is invalid.
   * Some volume types do not support them.
   */
  mountOptions?: ListAtomic<string>;
  /**
   * Whether the volume is mounted as a file system or is used as a raw block device. Defaults to `Filesystem`, and
   * cannot be changed after creation.
   */
  volumeMode?: PersistentVolumeMode & Since<"1.9">;
  /**
   * Nodes from which the volume is reachable; pods that use it are scheduled to these only. Required for `local`
   * volumes. Cannot be changed once set, except from a beta topology label to its stable name. Unset means any node.
   */
  nodeAffinity?: VolumeNodeAffinity & Since<"1.10">;
  /**
   * VolumeAttributesClass that is applied to the volume, set by the resizer according to the claim. Allowed for `csi`
   * volumes only. Cannot be removed once set. Requires the feature gate `VolumeAttributesClass`, which is off by
   * default.
   */
  volumeAttributesClassName?: string & Since<"1.29">;
}

export type PersistentVolumeReclaimPolicy =
  /**
   * The content is erased and the volume becomes available again. Deprecated: supported by `nfs` and `hostPath` only.
   */
  | "Recycle"
  /** The volume and its storage are deleted. */
  | "Delete"
  /** The volume and its data remain and the phase becomes `Released`. An administrator must reclaim it by hand. */
  | "Retain";

/** Nodes from which a volume is reachable. */
export interface VolumeNodeAffinity {
  /** Node selector that a node must match. Required. */
  required?: NodeSelector;
}

/** Observed state of a PersistentVolume. */
export interface PersistentVolumeStatus {
  /** Phase of the volume in its lifecycle, set by the volume controller. */
  phase?: PersistentVolumePhase & OmitZero & Default<"Pending">;
  /** Human-readable details of why the volume is in its phase, such as a failure to reclaim it. */
  message?: string & OmitZero;
  /** Machine-readable reason of a failure, in CamelCase. */
  reason?: string & OmitZero;
  /** Time at which `phase` last changed. Set by the server, unless the client that changes the phase sets it. */
  lastPhaseTransitionTime?: Time & Since<"1.28">;
}

export type PersistentVolumePhase =
  /** The volume is not available yet. */
  | "Pending"
  /** The volume is free and can be bound to a claim. */
  | "Available"
  /** The volume is bound to a claim. */
  | "Bound"
  /** The claim was deleted and the volume is not reclaimed yet. */
  | "Released"
  /** Reclaiming the volume failed. */
  | "Failed";

export const persistentVolume = kind<PersistentVolume>({
  plural: "persistentvolumes",
  generation: false,
  shortNames: ["pv"],
  introduced: "1.0",
  returnsDeleted: true,
  subresources: { status: true },
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "Capacity", type: "string", description: "Size of the volume." },
    { name: "Access Modes", type: "string", description: "How nodes and pods can mount the volume." },
    {
      name: "Reclaim Policy",
      type: "string",
      path: ".spec.persistentVolumeReclaimPolicy",
      description: "What happens to the volume when its claim is deleted.",
    },
    { name: "Status", type: "string", description: "Phase of the volume, or `Terminating` while it is being deleted." },
    { name: "Claim", type: "string", description: "Namespace and name of the claim that the volume is bound to." },
    { name: "StorageClass", type: "string", description: "Storage class of the volume." },
    { name: "VolumeAttributesClass", type: "string", description: "Volume attributes class of the volume." },
    { name: "Reason", type: "string", path: ".status.reason", description: "Machine-readable reason of a failure." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
    {
      name: "VolumeMode",
      type: "string",
      priority: 1,
      description: "Whether the volume is a file system or a raw block device.",
    },
  ],
});
