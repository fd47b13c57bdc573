// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.
import { resourceToken } from "../../runtime/contract/resource-token.ts";
import { csiStorageCapacity as defineCSIStorageCapacity, type CSIStorageCapacity } from "../../api-definitions/storage/v1alpha1/csi-storage-capacity.ts";
import { type VolumeAttachment, volumeAttachment as defineVolumeAttachment } from "../../api-definitions/storage/v1alpha1/volume-attachment.ts";
import { type VolumeAttributesClass, volumeAttributesClass as defineVolumeAttributesClass } from "../../api-definitions/storage/v1alpha1/volume-attributes-class.ts";

/** Free storage of a StorageClass in a part of the cluster. CSI driver deployments create these objects; the scheduler considers them for drivers with `storageCapacity: true`, and picks nodes from which enough storage is reachable. Usually there is one for each class and topology segment. */
export const csistoragecapacities = resourceToken<CSIStorageCapacity>({
  group: "storage.k8s.io",
  version: "v1alpha1",
  kind: "CSIStorageCapacity",
  resource: "csistoragecapacities",
  namespaced: true,
}, defineCSIStorageCapacity);

/** A request to attach a volume to a node, or to detach it by deletion. The attach/detach controller creates it, and the external attacher of the CSI driver carries it out and reports the result. */
export const volumeattachments = resourceToken<VolumeAttachment>({
  group: "storage.k8s.io",
  version: "v1alpha1",
  kind: "VolumeAttachment",
  resource: "volumeattachments",
  namespaced: false,
}, defineVolumeAttachment);

/** A class of volume attributes, such as throughput, that a CSI driver applies to existing volumes too. Claims name it in `volumeAttributesClassName` and may switch to another class later. */
export const volumeattributesclasses = resourceToken<VolumeAttributesClass>({
  group: "storage.k8s.io",
  version: "v1alpha1",
  kind: "VolumeAttributesClass",
  resource: "volumeattributesclasses",
  namespaced: false,
}, defineVolumeAttributesClass);
