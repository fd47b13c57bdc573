import type { LabelSelector } from "../../meta/v1/label-selector.ts";
import type { Namespaced } from "../../meta/v1/type-meta.ts";
import {
  type Always,
  type Default,
  kind,
  type ListAtomic,
  type ListMap,
  type MapGranular,
  type OmitZero,
  type Open,
  type PatchMerge,
  type Since,
  type Time,
} from "../../vocabulary.ts";
import type { ConditionStatus } from "./conditions.ts";
import type { TypedLocalObjectReference, TypedObjectReference } from "./references.ts";
import type { ResourceList, VolumeResourceRequirements } from "./resources.ts";

/**
 * A request for storage by a user. The volume controller binds it to a PersistentVolume that fits, or a provisioner
 * creates one according to the StorageClass. Pods refer to the claim to mount the volume.
 */
export interface PersistentVolumeClaim extends Namespaced {
  /** Desired state of the PersistentVolumeClaim. */
  spec?: PersistentVolumeClaimSpec & Always;
  /**
   * Observed state of the PersistentVolumeClaim, set by the volume controller, the resizer and the kubelet: its phase,
   * the actual size and the progress of changes.
   */
  status?: PersistentVolumeClaimStatus & Always;
}

/**
 * Storage that a claim requests. It cannot be changed after creation, except for `resources.requests.storage` and
 * `volumeAttributesClassName` of bound claims, and for `volumeName` and `storageClassName` while these are unset.
 */
export interface PersistentVolumeClaimSpec {
  /**
   * Ways in which the volume must be mountable. At least one is required; `ReadWriteOncePod` cannot be combined with
   * others.
   *
   * - `ReadWriteOnce`: for reading and writing, by one node at a time; several pods on that node can use it.
   * - `ReadOnlyMany`: for reading, by many nodes.
   * - `ReadWriteMany`: for reading and writing, by many nodes.
   * - `ReadWriteOncePod`: for reading and writing, by one pod at a time. Supported by CSI drivers only.
   */
  accessModes?: ListAtomic<PersistentVolumeAccessMode>;
  /**
   * Label selector for PersistentVolumes that may be bound. A claim with a selector is not provisioned dynamically by
   * most provisioners. Unset means any volume that fits.
   */
  selector?: LabelSelector;
  /**
   * Requested size, in `requests.storage`, which is required and must be greater than 0. It may be increased once the
   * claim is bound, if the StorageClass allows expansion. While an expansion is failing it may be reduced again, to a
   * size that is still greater than `status.capacity`.
   */
  resources?: VolumeResourceRequirements & Always;
  /**
   * Name of the PersistentVolume that the claim is bound to. Set by the volume controller; set it yourself to request a
   * certain volume. Cannot be changed once set.
   */
  volumeName?: string & OmitZero;
  /**
   * StorageClass of the volume. If unset, the default StorageClass is filled in on creation, or later if there is none
   * yet. An empty string requests a volume without class and disables dynamic provisioning.
   */
  storageClassName?: string;
  /** Whether the volume is mounted as a file system or is used as a raw block device. */
  volumeMode?: PersistentVolumeMode & Default<"Filesystem"> & Since<"1.9">;
  /**
   * Object in the same namespace that the new volume is filled from: a PersistentVolumeClaim, or a VolumeSnapshot of
   * group `snapshot.storage.k8s.io`. Other kinds are dropped on creation. Set from `dataSourceRef` if that is set
   * without a namespace; if both are set, they must be equal.
   */
  dataSource?: TypedLocalObjectReference & Since<"1.12">;
  /**
   * Object that the new volume is filled from: a claim, a snapshot, or any kind that a volume populator supports.
   * Unlike `dataSource`, other kinds are not dropped. Set from `dataSource` if unset. A `namespace` requires the
   * feature gate `CrossNamespaceVolumeDataSource`, which is off by default, and excludes `dataSource`.
   */
  dataSourceRef?: TypedObjectReference & Since<"1.22">;
  /**
   * VolumeAttributesClass whose parameters the CSI driver applies to the volume. May be changed once the claim is
   * bound, but not removed. If unset, provisioning uses none. Requires the feature gate `VolumeAttributesClass`, which
   * is off by default.
   */
  volumeAttributesClassName?: string & Since<"1.29">;
}

export type PersistentVolumeAccessMode =
  /** Can be mounted for reading and writing by one node at a time; several pods on that node can use it. */
  | "ReadWriteOnce"
  /** Can be mounted for reading by many nodes. */
  | "ReadOnlyMany"
  /** Can be mounted for reading and writing by many nodes. */
  | "ReadWriteMany"
  /** Can be mounted for reading and writing by one pod at a time. Supported by CSI drivers only. */
  | "ReadWriteOncePod";

export type PersistentVolumeMode =
  /** Pods get a raw block device, without file system. */
  | "Block"
  /** Pods get a mounted directory; an empty device is formatted first. */
  | "Filesystem";

/** Observed state of a PersistentVolumeClaim. */
export interface PersistentVolumeClaimStatus {
  /** Phase of the claim in its lifecycle, set by the volume controller. */
  phase?: PersistentVolumeClaimPhase & OmitZero & Default<"Pending">;
  /** Access modes of the volume that the claim is bound to, such as `ReadWriteOnce`. See `spec.accessModes`. */
  accessModes?: ListAtomic<PersistentVolumeAccessMode>;
  /** Actual size of the bound volume, as `storage`. Follows `spec.resources.requests` when an expansion is complete. */
  capacity?: ResourceList;
  /** Observed conditions of the claim, such as a running expansion. Set by the resizer and the kubelet. */
  conditions?: ListMap<PersistentVolumeClaimCondition, "type"> & PatchMerge<"type">;
  /**
   * Size that an expansion of the volume aims at, as `storage`. May be greater than `capacity` while the expansion
   * runs, and greater than the request if that was reduced meanwhile. Quota counts the greater of this and the request.
   */
  allocatedResources?: ResourceList;
  /**
   * Progress of an expansion, by resource name such as `storage`. A resource without entry has no expansion in
   * progress.
   *
   * - `ControllerResizeInProgress`: the storage backend is expanding the volume.
   * - `ControllerResizeInfeasible`: the storage backend failed in a way that retries cannot resolve. Reduce the request
   *   to try a smaller size.
   * - `NodeResizePending`: the storage backend is done; the file system is expanded when a node mounts the volume.
   * - `NodeResizeInProgress`: the kubelet is expanding the file system.
   * - `NodeResizeInfeasible`: the expansion on the node failed in a way that retries cannot resolve.
   *
   * Ignore entries with values you do not know.
   */
  allocatedResourceStatuses?: MapGranular<ClaimResourceStatus>;
  /**
   * VolumeAttributesClass that is applied to the volume. Unset if there is none. Requires the feature gate
   * `VolumeAttributesClass`, which is off by default.
   */
  currentVolumeAttributesClassName?: string & Since<"1.29">;
  /**
   * Progress of the change to another VolumeAttributesClass. Unset if no change is in progress. Requires the feature
   * gate `VolumeAttributesClass`, which is off by default.
   */
  modifyVolumeStatus?: ModifyVolumeStatus & Since<"1.29">;
}

export type PersistentVolumeClaimPhase =
  /** The claim is not bound yet. */
  | "Pending"
  /** The claim is bound to a volume. */
  | "Bound"
  /** The bound volume no longer exists, and its data is lost. */
  | "Lost";

export type ClaimResourceStatus =
  /** The storage backend is expanding the volume. */
  | "ControllerResizeInProgress"
  /** The storage backend failed in a way that retries cannot resolve. Reduce the request to try a smaller size. */
  | "ControllerResizeInfeasible"
  /** The storage backend is done; the file system is expanded when a node mounts the volume. */
  | "NodeResizePending"
  /** The kubelet is expanding the file system. */
  | "NodeResizeInProgress"
  /** The expansion on the node failed in a way that retries cannot resolve. */
  | "NodeResizeInfeasible";

/** One aspect of a claim's observed state, such as a running expansion. */
export interface PersistentVolumeClaimCondition {
  /** Type of the condition, such as `Resizing`. */
  type: PersistentVolumeClaimConditionType;
  /** Status of the condition: `True`, `False` or `Unknown`. */
  status: ConditionStatus;
  /** Time at which the condition was last checked. Usually not set. */
  lastProbeTime?: Time & Always;
  /** Time at which `status` last changed. */
  lastTransitionTime?: Time & Always;
  /** Machine-readable reason of the last transition, in CamelCase. */
  reason?: string & OmitZero;
  /** Human-readable details of the last transition. */
  message?: string & OmitZero;
}

export type PersistentVolumeClaimConditionType = Open<
  /** An expansion of the volume has started. */
  | "Resizing"
  /** The volume is expanded; its file system is expanded when a pod on a node uses it. */
  | "FileSystemResizePending"
  /** Expanding the volume in the storage backend failed. */
  | "ControllerResizeError"
  /** Expanding the volume on the node failed. */
  | "NodeResizeError"
  /** Applying the VolumeAttributesClass failed. */
  | "ModifyVolumeError"
  /** A VolumeAttributesClass is being applied. */
  | "ModifyingVolume"
>;

/** Progress of the change of a volume to another VolumeAttributesClass. */
export interface ModifyVolumeStatus {
  /** Name of the VolumeAttributesClass that is being applied. */
  targetVolumeAttributesClassName?: string & OmitZero;
  /** State of the change, set by the resizer. */
  status: PersistentVolumeClaimModifyVolumeStatus;
}

export type PersistentVolumeClaimModifyVolumeStatus =
  /** The change cannot start yet, for example because the class does not exist. */
  | "Pending"
  /** The CSI driver is applying the class. */
  | "InProgress"
  /** The CSI driver rejected the class. Specify another one to resolve it. */
  | "Infeasible";

export const persistentVolumeClaim = kind<PersistentVolumeClaim>({
  plural: "persistentvolumeclaims",
  generation: false,
  shortNames: ["pvc"],
  introduced: "1.0",
  returnsDeleted: true,
  subresources: { status: true },
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "Status", type: "string", description: "Phase of the claim, or `Terminating` while it is being deleted." },
    {
      name: "Volume",
      type: "string",
      path: ".spec.volumeName",
      description: "Name of the volume that the claim is bound to.",
    },
    { name: "Capacity", type: "string", description: "Actual size of the volume." },
    { name: "Access Modes", type: "string", description: "How nodes and pods can mount the volume." },
    { name: "StorageClass", type: "string", description: "Storage class of the claim." },
    { name: "VolumeAttributesClass", type: "string", description: "Requested volume attributes class." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
    {
      name: "VolumeMode",
      type: "string",
      priority: 1,
      description: "Whether the volume is a file system or a raw block device.",
    },
  ],
});
