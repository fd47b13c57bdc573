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

export interface PersistentVolumeClaim extends Namespaced {
  spec?: PersistentVolumeClaimSpec & Always;
  status?: PersistentVolumeClaimStatus & Always;
}

export interface PersistentVolumeClaimSpec {
  accessModes?: ListAtomic<PersistentVolumeAccessMode>;
  selector?: LabelSelector;
  resources?: VolumeResourceRequirements & Always;
  volumeName?: string & OmitZero;
  storageClassName?: string;
  volumeMode?: PersistentVolumeMode & Default<"Filesystem">;
  dataSource?: TypedLocalObjectReference;
  dataSourceRef?: TypedObjectReference;
  volumeAttributesClassName?: string & Gated<"VolumeAttributesClass">;
}

export type PersistentVolumeAccessMode = "ReadWriteOnce" | "ReadOnlyMany" | "ReadWriteMany" | "ReadWriteOncePod";

export type PersistentVolumeMode = "Block" | "Filesystem";

export interface PersistentVolumeClaimStatus {
  phase?: PersistentVolumeClaimPhase & OmitZero & Default<"Pending">;
  accessModes?: ListAtomic<PersistentVolumeAccessMode>;
  capacity?: ResourceList;
  conditions?: ListMap<PersistentVolumeClaimCondition, "type"> & PatchMerge<"type">;
  allocatedResources?: ResourceList & Gated<"RecoverVolumeExpansionFailure">;
  allocatedResourceStatuses?: MapGranular<ClaimResourceStatus> & Gated<"RecoverVolumeExpansionFailure">;
  currentVolumeAttributesClassName?: string & Gated<"VolumeAttributesClass">;
  modifyVolumeStatus?: ModifyVolumeStatus & Gated<"VolumeAttributesClass">;
}

export type PersistentVolumeClaimPhase = "Pending" | "Bound" | "Lost";

export type ClaimResourceStatus =
  | "ControllerResizeInProgress"
  | "ControllerResizeInfeasible"
  | "NodeResizePending"
  | "NodeResizeInProgress"
  | "NodeResizeInfeasible";

export interface PersistentVolumeClaimCondition {
  type: PersistentVolumeClaimConditionType;
  status: ConditionStatus;
  lastProbeTime?: Time & Always;
  lastTransitionTime?: Time & Always;
  reason?: string & OmitZero;
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

export interface ModifyVolumeStatus {
  targetVolumeAttributesClassName?: string & OmitZero;
  status: PersistentVolumeClaimModifyVolumeStatus;
}

export type PersistentVolumeClaimModifyVolumeStatus = "Pending" | "InProgress" | "Infeasible";

export const persistentVolumeClaim = kind<PersistentVolumeClaim>({
  plural: "persistentvolumeclaims",
  returnsDeleted: true,
  shortNames: ["pvc"],
  introduced: "1.0",
  subresources: { status: true },
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name" },
    { name: "Status", type: "string" },
    { name: "Volume", type: "string", path: ".spec.volumeName" },
    { name: "Capacity", type: "string" },
    { name: "Access Modes", type: "string" },
    { name: "StorageClass", type: "string" },
    { name: "VolumeAttributesClass", type: "string" },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp" },
    { name: "VolumeMode", type: "string", priority: 1 },
  ],
});
