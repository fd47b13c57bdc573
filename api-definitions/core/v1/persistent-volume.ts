import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import {
  type Always,
  type Default,
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

/** A piece of storage in the cluster, made by an administrator or on demand. */
export interface PersistentVolume extends ClusterScoped {
  /** What is asked for. */
  spec?: PersistentVolumeSpec & Always;
  /** What is the case, as last seen. */
  status?: PersistentVolumeStatus & Always;
}

/** A volume: how big, how used, where. */
export interface PersistentVolumeSpec extends PersistentVolumeSource {
  /** How much it holds. */
  capacity?: ResourceList;
  /** How it can be used. */
  accessModes?: ListAtomic<PersistentVolumeAccessMode>;
  /** The claim it serves. */
  claimRef?: StructGranular<ObjectReference>;
  /** What becomes of it when its claim is gone. */
  persistentVolumeReclaimPolicy?: PersistentVolumeReclaimPolicy & OmitZero;
  /** Its class. */
  storageClassName?: string & OmitZero;
  /** Options to mount it with. */
  mountOptions?: ListAtomic<string>;
  /** A file system, or a raw block device. */
  volumeMode?: PersistentVolumeMode;
  /** Nodes it can be reached from. */
  nodeAffinity?: VolumeNodeAffinity;
  /** Class of attributes in force. */
  volumeAttributesClassName?: string;
}

export type PersistentVolumeReclaimPolicy = "Recycle" | "Delete" | "Retain";

/** Nodes a volume can be reached from. */
export interface VolumeNodeAffinity {
  /** Demands on the node. */
  required?: NodeSelector;
}

/** Where a volume is in its life. */
export interface PersistentVolumeStatus {
  /** Whether it is free, bound, released or broken. */
  phase?: PersistentVolumePhase & OmitZero & Default<"Pending">;
  /** Why, for people. */
  message?: string & OmitZero;
  /** Why, as a word. */
  reason?: string & OmitZero;
  /** When the phase last changed. */
  lastPhaseTransitionTime?: Time;
}

export type PersistentVolumePhase = "Pending" | "Available" | "Bound" | "Released" | "Failed";

export const persistentVolume = kind<PersistentVolume>({
  plural: "persistentvolumes",
  generation: false,
  shortNames: ["pv"],
  introduced: "1.0",
  returnsDeleted: true,
  subresources: { status: true },
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "Capacity", type: "string", description: "How much it holds." },
    { name: "Access Modes", type: "string", description: "How it can be used." },
    {
      name: "Reclaim Policy",
      type: "string",
      path: ".spec.persistentVolumeReclaimPolicy",
      description: "What becomes of it when its claim is gone.",
    },
    { name: "Status", type: "string", description: "State in one word." },
    { name: "Claim", type: "string", description: "The claim it serves." },
    { name: "StorageClass", type: "string", description: "Storage class." },
    { name: "VolumeAttributesClass", type: "string", description: "Class of attributes in force." },
    { name: "Reason", type: "string", path: ".status.reason", description: "A word for what happened." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
    { name: "VolumeMode", type: "string", priority: 1, description: "File system or raw block device." },
  ],
});
