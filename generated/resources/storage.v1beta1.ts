// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.
import { resourceToken } from "../../runtime/contract/resource-token.ts";
import { csiDriver as defineCSIDriver, type CSIDriver } from "../../api-definitions/storage/v1beta1/csi-driver.ts";
import { csiNode as defineCSINode, type CSINode } from "../../api-definitions/storage/v1beta1/csi-node.ts";
import { csiStorageCapacity as defineCSIStorageCapacity, type CSIStorageCapacity } from "../../api-definitions/storage/v1beta1/csi-storage-capacity.ts";
import { storageClass as defineStorageClass, type StorageClass } from "../../api-definitions/storage/v1beta1/storage-class.ts";
import { type VolumeAttachment, volumeAttachment as defineVolumeAttachment } from "../../api-definitions/storage/v1beta1/volume-attachment.ts";
import { type VolumeAttributesClass, volumeAttributesClass as defineVolumeAttributesClass } from "../../api-definitions/storage/v1beta1/volume-attributes-class.ts";

/** Properties of a CSI driver that is installed in the cluster: how Kubernetes calls it and what it needs. Deployed together with the driver; its name must be the name that the driver reports. Drivers without this object get the defaults. */
export const csidrivers = resourceToken<CSIDriver>({
  group: "storage.k8s.io",
  version: "v1beta1",
  kind: "CSIDriver",
  resource: "csidrivers",
  namespaced: false,
}, defineCSIDriver);

/** CSI drivers that are installed on a node. The kubelet creates it under the name of its Node and updates it when drivers register; drivers do not write it themselves. */
export const csinodes = resourceToken<CSINode>({
  group: "storage.k8s.io",
  version: "v1beta1",
  kind: "CSINode",
  resource: "csinodes",
  namespaced: false,
}, defineCSINode);

/** Free storage of a StorageClass in a part of the cluster. CSI driver deployments create these objects; the scheduler considers them for drivers with `storageCapacity: true`, and picks nodes from which enough storage is reachable. Usually there is one for each class and topology segment. */
export const csistoragecapacities = resourceToken<CSIStorageCapacity>({
  group: "storage.k8s.io",
  version: "v1beta1",
  kind: "CSIStorageCapacity",
  resource: "csistoragecapacities",
  namespaced: true,
}, defineCSIStorageCapacity);

/** A class of storage from which volumes are provisioned on demand. Claims name it in `storageClassName`. The class with the annotation `storageclass.kubernetes.io/is-default-class: "true"` is used for claims that name none. */
export const storageclasses = resourceToken<StorageClass>({
  group: "storage.k8s.io",
  version: "v1beta1",
  kind: "StorageClass",
  resource: "storageclasses",
  namespaced: false,
}, defineStorageClass);

/** A request to attach a volume to a node, or to detach it by deletion. The attach/detach controller creates it, and the external attacher of the CSI driver carries it out and reports the result. */
export const volumeattachments = resourceToken<VolumeAttachment>({
  group: "storage.k8s.io",
  version: "v1beta1",
  kind: "VolumeAttachment",
  resource: "volumeattachments",
  namespaced: false,
}, defineVolumeAttachment);

/** A class of volume attributes, such as throughput, that a CSI driver applies to existing volumes too. Claims name it in `volumeAttributesClassName` and may switch to another class later. */
export const volumeattributesclasses = resourceToken<VolumeAttributesClass>({
  group: "storage.k8s.io",
  version: "v1beta1",
  kind: "VolumeAttributesClass",
  resource: "volumeattributesclasses",
  namespaced: false,
}, defineVolumeAttributesClass);
