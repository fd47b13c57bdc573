import type { PersistentVolumeSpec } from "../../core/v1/persistent-volume.ts";
import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { type Always, type Gated, type Int32, kind, type OmitZero, type Since, type Time } from "../../vocabulary.ts";

/**
 * A request to attach a volume to a node, or to detach it by deletion. The attach/detach controller creates it, and the
 * external attacher of the CSI driver carries it out and reports the result.
 */
export interface VolumeAttachment extends ClusterScoped {
  /** Desired state of the VolumeAttachment. Cannot be changed after creation. */
  spec: VolumeAttachmentSpec;
  /**
   * Observed state of the VolumeAttachment, set by the external attacher: whether the volume is attached, and errors.
   */
  status?: VolumeAttachmentStatus & Always;
}

/** Volume and node of a VolumeAttachment, and the driver that attaches it. */
export interface VolumeAttachmentSpec {
  /** Name of the CSI driver that must carry out the request. */
  attacher: string;
  /** Volume that is attached to the node. */
  source: VolumeAttachmentSource;
  /** Name of the Node that the volume is attached to. */
  nodeName: string;
}

/** Volume of a VolumeAttachment. Exactly one field must be set. */
export interface VolumeAttachmentSource {
  /** Name of the PersistentVolume that is attached. */
  persistentVolumeName?: string;
  /**
   * Complete definition of a volume that a pod defines itself, for plugins that are migrated to CSI. Requires `csi`;
   * capacity, class, claim and node affinity are not allowed.
   */
  inlineVolumeSpec?: PersistentVolumeSpec & Since<"1.15">;
}

/** Observed state of a VolumeAttachment, set by the external attacher. */
export interface VolumeAttachmentStatus {
  /** Whether the volume is attached to the node. */
  attached: boolean;
  /** Information from the driver that is needed to mount the volume, passed to it unchanged. At most 256 KiB. */
  attachmentMetadata?: Record<string, string>;
  /** Last error of the attach operation. Unset once it succeeds. */
  attachError?: VolumeError;
  /** Last error of the detach operation. Unset if there is none. */
  detachError?: VolumeError;
}

/** An error of an operation on a volume. */
export interface VolumeError {
  /** Time at which the error occurred. */
  time?: Time & Always;
  /** Human-readable details of the error, at most 1024 bytes long. Must not contain confidential data. */
  message?: string & OmitZero;
  /** gRPC code with which the operation failed. Must be at least 0. */
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
      description: "CSI driver that attaches the volume.",
    },
    { name: "PV", type: "string", description: "Name of the PersistentVolume." },
    { name: "Node", type: "string", path: ".spec.nodeName", description: "Node that the volume is attached to." },
    { name: "Attached", type: "boolean", path: ".status.attached", description: "Whether the volume is attached." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
  ],
});
