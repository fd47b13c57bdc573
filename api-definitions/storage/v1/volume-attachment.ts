import type { PersistentVolumeSpec } from "../../core/v1/persistent-volume.ts";
import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { type Always, type Gated, type Int32, kind, type OmitZero, type Time } from "../../vocabulary.ts";

export interface VolumeAttachment extends ClusterScoped {
  spec: VolumeAttachmentSpec;
  status?: VolumeAttachmentStatus & Always;
}

export interface VolumeAttachmentSpec {
  attacher: string;
  source: VolumeAttachmentSource;
  nodeName: string;
}

export interface VolumeAttachmentSource {
  persistentVolumeName?: string;
  inlineVolumeSpec?: PersistentVolumeSpec;
}

export interface VolumeAttachmentStatus {
  attached: boolean;
  attachmentMetadata?: Record<string, string>;
  attachError?: VolumeError;
  detachError?: VolumeError;
}

export interface VolumeError {
  time?: Time & Always;
  message?: string & OmitZero;
  errorCode?: Int32 & Gated<"MutableCSINodeAllocatableCount">;
}

export const volumeAttachment = kind<VolumeAttachment>({
  plural: "volumeattachments",
  returnsDeleted: true,
  introduced: "1.13",
  subresources: { status: true },
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name" },
    { name: "Attacher", type: "string", format: "name", path: ".spec.attacher" },
    { name: "PV", type: "string" },
    { name: "Node", type: "string", path: ".spec.nodeName" },
    { name: "Attached", type: "boolean", path: ".status.attached" },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp" },
  ],
});
