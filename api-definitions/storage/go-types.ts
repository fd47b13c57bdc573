/** The structs of this group that messages show, as `runtime/go/types.ts` reads them. */
export const STORAGE_GO_TYPES = {
  CSINodeDriver: "Name string; NodeID string; TopologyKeys []string; Allocatable *VolumeNodeResources",
  VolumeAttachmentSource: "PersistentVolumeName *string; InlineVolumeSpec *core.PersistentVolumeSpec",
  VolumeAttachmentSpec: "Attacher string; Source VolumeAttachmentSource; NodeName string",
  VolumeNodeResources: "Count *int32",
} as const;
