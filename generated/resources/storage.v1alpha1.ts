// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.
import { resourceToken } from "../../runtime/contract/resource-token.ts";
import type { CSIStorageCapacity } from "../../api-definitions/storage/v1alpha1/csi-storage-capacity.ts";
import type { VolumeAttachment } from "../../api-definitions/storage/v1alpha1/volume-attachment.ts";
import type { VolumeAttributesClass } from "../../api-definitions/storage/v1alpha1/volume-attributes-class.ts";

/** How much storage a driver has left in a place. */
export const csistoragecapacities = resourceToken<CSIStorageCapacity>({
  group: "storage.k8s.io",
  version: "v1alpha1",
  kind: "CSIStorageCapacity",
  resource: "csistoragecapacities",
  namespaced: true,
});

/** Asks to attach a volume to a node, or to detach it. */
export const volumeattachments = resourceToken<VolumeAttachment>({
  group: "storage.k8s.io",
  version: "v1alpha1",
  kind: "VolumeAttachment",
  resource: "volumeattachments",
  namespaced: false,
});

/** Attributes of volumes that may change while they are in use. */
export const volumeattributesclasses = resourceToken<VolumeAttributesClass>({
  group: "storage.k8s.io",
  version: "v1alpha1",
  kind: "VolumeAttributesClass",
  resource: "volumeattributesclasses",
  namespaced: false,
});
