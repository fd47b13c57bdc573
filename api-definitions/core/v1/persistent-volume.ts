import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import {
  type Always,
  type Default,
  type Gated,
  kind,
  type ListAtomic,
  type OmitZero,
  type StructGranular,
  type Time,
} from "../../vocabulary.ts";
import type { PersistentVolumeAccessMode, PersistentVolumeMode } from "./persistent-volume-claim.ts";
import type { PersistentVolumeSource } from "./persistent-volume-sources.ts";
import type { ObjectReference } from "./references.ts";
import type { ResourceList } from "./resources.ts";
import type { NodeSelector } from "./scheduling.ts";

export interface PersistentVolume extends ClusterScoped {
  spec?: PersistentVolumeSpec & Always;
  status?: PersistentVolumeStatus & Always;
}

export interface PersistentVolumeSpec extends PersistentVolumeSource {
  capacity?: ResourceList;
  accessModes?: ListAtomic<PersistentVolumeAccessMode>;
  claimRef?: StructGranular<ObjectReference>;
  persistentVolumeReclaimPolicy?: PersistentVolumeReclaimPolicy & OmitZero & Default<"Retain">;
  storageClassName?: string & OmitZero;
  mountOptions?: ListAtomic<string>;
  volumeMode?: PersistentVolumeMode & Default<"Filesystem">;
  nodeAffinity?: VolumeNodeAffinity;
  volumeAttributesClassName?: string & Gated<"VolumeAttributesClass">;
}

export type PersistentVolumeReclaimPolicy = "Recycle" | "Delete" | "Retain";

export interface VolumeNodeAffinity {
  required?: NodeSelector;
}

export interface PersistentVolumeStatus {
  phase?: PersistentVolumePhase & OmitZero & Default<"Pending">;
  message?: string & OmitZero;
  reason?: string & OmitZero;
  lastPhaseTransitionTime?: Time;
}

export type PersistentVolumePhase = "Pending" | "Available" | "Bound" | "Released" | "Failed";

export const persistentVolume = kind<PersistentVolume>({
  plural: "persistentvolumes",
  returnsDeleted: true,
  shortNames: ["pv"],
  introduced: "1.0",
  subresources: { status: true },
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name" },
    { name: "Capacity", type: "string" },
    { name: "Access Modes", type: "string" },
    { name: "Reclaim Policy", type: "string", path: ".spec.persistentVolumeReclaimPolicy" },
    { name: "Status", type: "string" },
    { name: "Claim", type: "string" },
    { name: "StorageClass", type: "string" },
    { name: "VolumeAttributesClass", type: "string" },
    { name: "Reason", type: "string", path: ".status.reason" },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp" },
    { name: "VolumeMode", type: "string", priority: 1 },
  ],
});
