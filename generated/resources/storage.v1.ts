// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.
import { resourceToken } from "../../runtime/contract/resource-token.ts";
import type { CSIDriver } from "../../api-definitions/storage/v1/csi-driver.ts";
import type { CSINode } from "../../api-definitions/storage/v1/csi-node.ts";
import type { CSIStorageCapacity } from "../../api-definitions/storage/v1/csi-storage-capacity.ts";
import type { StorageClass } from "../../api-definitions/storage/v1/storage-class.ts";
import type { VolumeAttachment } from "../../api-definitions/storage/v1/volume-attachment.ts";

/** What the cluster should know of a storage driver. */
export const csidrivers = resourceToken<CSIDriver>({
  group: "storage.k8s.io",
  version: "v1",
  kind: "CSIDriver",
  resource: "csidrivers",
  namespaced: false,
});

/** Drivers that are installed on a node. */
export const csinodes = resourceToken<CSINode>({
  group: "storage.k8s.io",
  version: "v1",
  kind: "CSINode",
  resource: "csinodes",
  namespaced: false,
});

/** How much storage a driver has left in a place. */
export const csistoragecapacities = resourceToken<CSIStorageCapacity>({
  group: "storage.k8s.io",
  version: "v1",
  kind: "CSIStorageCapacity",
  resource: "csistoragecapacities",
  namespaced: true,
});

/** A way to make volumes on demand. */
export const storageclasses = resourceToken<StorageClass>({
  group: "storage.k8s.io",
  version: "v1",
  kind: "StorageClass",
  resource: "storageclasses",
  namespaced: false,
});

/** Asks to attach a volume to a node, or to detach it. */
export const volumeattachments = resourceToken<VolumeAttachment>({
  group: "storage.k8s.io",
  version: "v1",
  kind: "VolumeAttachment",
  resource: "volumeattachments",
  namespaced: false,
});
