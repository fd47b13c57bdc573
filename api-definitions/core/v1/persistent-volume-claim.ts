import type { LabelSelector } from "../../meta/v1/label-selector.ts";
import type { Namespaced } from "../../meta/v1/type-meta.ts";
import {
  type Always,
  type Default,
  type Gated,
  kind,
  type ListAtomic,
  type ListMap,
  type MapGranular,
  type OmitZero,
  type Open,
  type PatchMerge,
  type Time,
} from "../../vocabulary.ts";
import type { ConditionStatus } from "./conditions.ts";
import type { TypedLocalObjectReference, TypedObjectReference } from "./references.ts";
import type { ResourceList, VolumeResourceRequirements } from "./resources.ts";

/** Asks for storage that a pod can mount. */
export interface PersistentVolumeClaim extends Namespaced {
  /** What is asked for. */
  spec?: PersistentVolumeClaimSpec & Always;
  /** What is the case, as last seen. */
  status?: PersistentVolumeClaimStatus & Always;
}

/** What storage is asked for. */
export interface PersistentVolumeClaimSpec {
  /** How the volume will be used. */
  accessModes?: ListAtomic<PersistentVolumeAccessMode>;
  /** Labels the volume must have. */
  selector?: LabelSelector;
  /** How much is needed. */
  resources?: VolumeResourceRequirements & Always;
  /** The volume that serves the claim. */
  volumeName?: string & OmitZero;
  /** Class to make the volume from; an empty name asks for a volume without class. */
  storageClassName?: string;
  /** A file system, or a raw block device. */
  volumeMode?: PersistentVolumeMode & Default<"Filesystem">;
  /** A snapshot or claim to fill the volume from. */
  dataSource?: TypedLocalObjectReference;
  /** Anything to fill the volume from, in another namespace too. */
  dataSourceRef?: TypedObjectReference;
  /** Class of attributes the driver applies, which may change later. */
  volumeAttributesClassName?: string;
}

export type PersistentVolumeAccessMode = "ReadWriteOnce" | "ReadOnlyMany" | "ReadWriteMany" | "ReadWriteOncePod";

export type PersistentVolumeMode = "Block" | "Filesystem";

/** What came of a claim. */
export interface PersistentVolumeClaimStatus {
  /** Whether the claim has a volume. */
  phase?: PersistentVolumeClaimPhase & OmitZero & Default<"Pending">;
  /** How the volume can be used. */
  accessModes?: ListAtomic<PersistentVolumeAccessMode>;
  /** What the volume holds. */
  capacity?: ResourceList;
  /** Findings about resizing and changing it. */
  conditions?: ListMap<PersistentVolumeClaimCondition, "type"> & PatchMerge<"type">;
  /** What it is growing to. */
  allocatedResources?: ResourceList & Gated<"RecoverVolumeExpansionFailure">;
  /** How growing is going. */
  allocatedResourceStatuses?: MapGranular<ClaimResourceStatus> & Gated<"RecoverVolumeExpansionFailure">;
  /** The attributes class in force. */
  currentVolumeAttributesClassName?: string;
  /** How a change of that class is going. */
  modifyVolumeStatus?: ModifyVolumeStatus;
}

export type PersistentVolumeClaimPhase = "Pending" | "Bound" | "Lost";

export type ClaimResourceStatus =
  | "ControllerResizeInProgress"
  | "ControllerResizeInfeasible"
  | "NodeResizePending"
  | "NodeResizeInProgress"
  | "NodeResizeInfeasible";

/** One finding about an object. */
export interface PersistentVolumeClaimCondition {
  /** What the finding is about. */
  type: PersistentVolumeClaimConditionType;
  /** Whether it holds: `True`, `False` or `Unknown`. */
  status: ConditionStatus;
  /** When it was last looked at. */
  lastProbeTime?: Time & Always;
  /** When the status last changed. */
  lastTransitionTime?: Time & Always;
  /** A word for the cause. */
  reason?: string & OmitZero;
  /** The cause, for people. */
  message?: string & OmitZero;
}

export type PersistentVolumeClaimConditionType = Open<
  | "Resizing"
  | "FileSystemResizePending"
  | "ControllerResizeError"
  | "NodeResizeError"
  | "ModifyVolumeError"
  | "ModifyingVolume"
>;

/** How a change of the volume's attributes class is going. */
export interface ModifyVolumeStatus {
  /** The class that is being applied. */
  targetVolumeAttributesClassName?: string & OmitZero;
  /** How far it is. */
  status: PersistentVolumeClaimModifyVolumeStatus;
}

export type PersistentVolumeClaimModifyVolumeStatus = "Pending" | "InProgress" | "Infeasible";

export const persistentVolumeClaim = kind<PersistentVolumeClaim>({
  plural: "persistentvolumeclaims",
  generation: false,
  shortNames: ["pvc"],
  introduced: "1.0",
  returnsDeleted: true,
  subresources: { status: true },
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "Status", type: "string", description: "State in one word." },
    { name: "Volume", type: "string", path: ".spec.volumeName", description: "The volume that serves it." },
    { name: "Capacity", type: "string", description: "How much it holds." },
    { name: "Access Modes", type: "string", description: "How it can be used." },
    { name: "StorageClass", type: "string", description: "Storage class." },
    { name: "VolumeAttributesClass", type: "string", description: "Class of attributes in force." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
    { name: "VolumeMode", type: "string", priority: 1, description: "File system or raw block device." },
  ],
});
