import type { PersistentVolumeSpec } from "../../core/v1/persistent-volume.ts";
import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { type Always, type Gated, type Int32, kind, type OmitZero, type Time } from "../../vocabulary.ts";

/** Asks to attach a volume to a node, or to detach it. */
export interface VolumeAttachment extends ClusterScoped {
  /** What is asked for. */
  spec: VolumeAttachmentSpec;
  /** What is the case, as last seen. */
  status?: VolumeAttachmentStatus & Always;
}

/** Which volume, to which node, by whom. */
export interface VolumeAttachmentSpec {
  /** The driver that does it. */
  attacher: string;
  /** The volume. */
  source: VolumeAttachmentSource;
  /** The node. */
  nodeName: string;
}

/** The volume. */
export interface VolumeAttachmentSource {
  /** By name. */
  persistentVolumeName?: string;
  /** In full, for volumes that pods carry themselves. */
  inlineVolumeSpec?: PersistentVolumeSpec;
}

/** What came of it. */
export interface VolumeAttachmentStatus {
  /** Whether it is attached. */
  attached: boolean;
  /** What the driver says about the attachment. */
  attachmentMetadata?: Record<string, string>;
  /** Why attaching failed. */
  attachError?: VolumeError;
  /** Why detaching failed. */
  detachError?: VolumeError;
}

/** Why something failed. */
export interface VolumeError {
  /** When. */
  time?: Time & Always;
  /** Why, for people. */
  message?: string & OmitZero;
  /** The code of the failure. */
  errorCode?: Int32 & Gated<"MutableCSINodeAllocatableCount">;
}

export const volumeAttachment = kind<VolumeAttachment>({
  plural: "volumeattachments",
  generation: false,
  conditionalUpdate: true,
  introduced: "1.13",
  returnsDeleted: true,
  subresources: { status: true },
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    {
      name: "Attacher",
      type: "string",
      format: "name",
      path: ".spec.attacher",
      description: "Driver that attaches it.",
    },
    { name: "PV", type: "string", description: "The volume." },
    { name: "Node", type: "string", path: ".spec.nodeName", description: "The node." },
    { name: "Attached", type: "boolean", path: ".status.attached", description: "Whether it is attached." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
  ],
});
