import type { Default, Deprecated, Int32, ListAtomic, Nullable, OmitZero, Published, Since } from "../../vocabulary.ts";
import type { ObjectReference, SecretReference } from "./references.ts";
import type {
  AWSElasticBlockStoreVolumeSource,
  AzureDiskVolumeSource,
  FCVolumeSource,
  FlockerVolumeSource,
  GCEPersistentDiskVolumeSource,
  PhotonPersistentDiskVolumeSource,
  PortworxVolumeSource,
  QuobyteVolumeSource,
  VsphereVirtualDiskVolumeSource,
} from "./storage-volumes.ts";
import type { HostPathVolumeSource, NFSVolumeSource } from "./volumes.ts";

/** Storage behind a PersistentVolume. Exactly one field must be set. Cannot be changed after creation. */
export interface PersistentVolumeSource {
  /** A persistent disk of Google Compute Engine. Handled by the CSI driver `pd.csi.storage.gke.io`. */
  gcePersistentDisk?: GCEPersistentDiskVolumeSource & Deprecated<"use a PersistentVolume of a CSI driver instead">;
  /** An AWS Elastic Block Store volume. Handled by the CSI driver `ebs.csi.aws.com`. */
  awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource &
    Deprecated<"use a PersistentVolume of a CSI driver instead">;
  /**
   * A file or directory of the node. For tests on a single node only: in larger clusters the pods of a volume may run
   * on different nodes. Use `local` instead.
   */
  hostPath?: HostPathVolumeSource;
  /** A GlusterFS volume. Nodes have not supported it since v1.26. */
  glusterfs?: GlusterfsPersistentVolumeSource & Deprecated<"use a PersistentVolume of a CSI driver instead">;
  /** A directory of an NFS server, which nodes mount. */
  nfs?: NFSVolumeSource;
  /** A Ceph RADOS block device. Nodes have not supported it since v1.31. */
  rbd?: RBDPersistentVolumeSource & Deprecated<"use a PersistentVolume of a CSI driver instead">;
  /** A disk that is accessed over iSCSI. */
  iscsi?: ISCSIPersistentVolumeSource;
  /** An OpenStack Cinder volume. Handled by the CSI driver `cinder.csi.openstack.org`. */
  cinder?: CinderPersistentVolumeSource & Deprecated<"use a PersistentVolume of a CSI driver instead">;
  /** A CephFS file system. Nodes have not supported it since v1.31. */
  cephfs?: CephFSPersistentVolumeSource & Deprecated<"use a PersistentVolume of a CSI driver instead">;
  /** A disk that is accessed over Fibre Channel. */
  fc?: FCVolumeSource;
  /** A Flocker dataset. Nodes have not supported it since v1.25. */
  flocker?: FlockerVolumeSource & Deprecated<"use a PersistentVolume of a CSI driver instead">;
  /** A volume of a FlexVolume driver, which must be installed on the node. */
  flexVolume?: FlexPersistentVolumeSource & Deprecated<"use a PersistentVolume of a CSI driver instead">;
  /** An Azure file share. Handled by the CSI driver `file.csi.azure.com`. */
  azureFile?: AzureFilePersistentVolumeSource & Deprecated<"use a PersistentVolume of a CSI driver instead">;
  /** A vSphere virtual disk. Handled by the CSI driver `csi.vsphere.vmware.com`. */
  vsphereVolume?: VsphereVirtualDiskVolumeSource & Deprecated<"use a PersistentVolume of a CSI driver instead">;
  /** A Quobyte volume. Nodes have not supported it since v1.25. */
  quobyte?: QuobyteVolumeSource & Deprecated<"use a PersistentVolume of a CSI driver instead">;
  /** An Azure data disk. Handled by the CSI driver `disk.csi.azure.com`. */
  azureDisk?: AzureDiskVolumeSource & Deprecated<"use a PersistentVolume of a CSI driver instead">;
  /** A Photon Controller persistent disk. Nodes have not supported it since v1.16. */
  photonPersistentDisk?: PhotonPersistentDiskVolumeSource &
    Deprecated<"use a PersistentVolume of a CSI driver instead">;
  /** A Portworx volume. Handled by the CSI driver `pxd.portworx.com`. */
  portworxVolume?: PortworxVolumeSource & Deprecated<"use a PersistentVolume of a CSI driver instead">;
  /** A ScaleIO volume. Nodes have not supported it since v1.22. */
  scaleIO?: ScaleIOPersistentVolumeSource & Deprecated<"use a PersistentVolume of a CSI driver instead">;
  /** A disk, partition or directory of one node. Requires `nodeAffinity` of the PersistentVolume. */
  local?: LocalVolumeSource;
  /** A StorageOS volume. Nodes have not supported it since v1.25. */
  storageos?: StorageOSPersistentVolumeSource & Deprecated<"use a PersistentVolume of a CSI driver instead">;
  /** A volume of a CSI driver. This is the source for all current storage systems. */
  csi?: CSIPersistentVolumeSource & Since<"1.9">;
}

/** A GlusterFS volume behind a PersistentVolume. */
export interface GlusterfsPersistentVolumeSource {
  /** Name of the Endpoints object with the addresses of the GlusterFS servers. */
  endpoints: string;
  /** Name of the GlusterFS volume. */
  path: string;
  /** Mounts the volume read-only. Unset means `false`. */
  readOnly?: boolean & OmitZero;
  /** Namespace of the Endpoints object; must be a DNS label. Unset means the namespace of the bound claim. */
  endpointsNamespace?: string;
}

/** A Ceph RADOS block device image behind a PersistentVolume. */
export interface RBDPersistentVolumeSource {
  /** Addresses of the Ceph monitors. At least one. */
  monitors: ListAtomic<string>;
  /** Name of the RADOS image. */
  image: string;
  /** File system to mount, such as `ext4` or `xfs`. `ext4` is used if unset. */
  fsType?: string & OmitZero;
  /** Name of the RADOS pool that has the image. */
  pool?: string & OmitZero & Default<"rbd"> & Published;
  /** Ceph user to authenticate as. */
  user?: string & OmitZero & Default<"admin"> & Published;
  /** File on the node with the keyring of `user`. */
  keyring?: string & OmitZero & Default<"/etc/ceph/keyring"> & Published;
  /** Secret with the key of `user`. Overrides `keyring`. */
  secretRef?: SecretReference;
  /** Mounts the device read-only. Unset means `false`. */
  readOnly?: boolean & OmitZero;
}

/** A disk behind a PersistentVolume that is accessed over iSCSI. */
export interface ISCSIPersistentVolumeSource {
  /**
   * Address of the target: `<IP address>` or `<IP address>:<port>`. The port 3260 is used if there is none. With
   * `initiatorName`, `<name of the PersistentVolume>:<targetPortal>` must not exceed 64 characters.
   */
  targetPortal: string;
  /** Name of the target, in one of the forms `iqn.…`, `eui.…` and `naa.…`. */
  iqn: string;
  /** Logical unit number at the target, from 0 to 255. */
  lun: Int32;
  /** Name of the iSCSI interface of the node that is used. */
  iscsiInterface?: string & OmitZero & Default<"default"> & Published;
  /** File system to mount, such as `ext4` or `xfs`. `ext4` is used if unset. */
  fsType?: string & OmitZero;
  /** Mounts the disk read-only. Unset means `false`. */
  readOnly?: boolean & OmitZero;
  /** Further addresses of the target, for multipath. */
  portals?: ListAtomic<string>;
  /** Whether discovery uses CHAP authentication. Requires `secretRef`. Unset means `false`. */
  chapAuthDiscovery?: boolean & OmitZero;
  /** Whether the session uses CHAP authentication. Requires `secretRef`. Unset means `false`. */
  chapAuthSession?: boolean & OmitZero;
  /** Secret with the CHAP user names and passwords. Required for CHAP authentication; `name` must be set. */
  secretRef?: SecretReference;
  /**
   * Name of the initiator, in one of the forms `iqn.…`, `eui.…` and `naa.…`. If set, an interface `<target
   * portal>:<volume name>` is created for the connection. Unset means that of the node.
   */
  initiatorName?: string;
}

/** An OpenStack Cinder volume behind a PersistentVolume. */
export interface CinderPersistentVolumeSource {
  /** Identifier of the Cinder volume. */
  volumeID: string;
  /** File system to mount, such as `ext4` or `xfs`. `ext4` is used if unset. */
  fsType?: string & OmitZero;
  /** Mounts the volume read-only. Unset means `false`. */
  readOnly?: boolean & OmitZero;
  /** Secret with parameters for the connection to OpenStack. `name` and `namespace` are required. */
  secretRef?: SecretReference;
}

/** A CephFS file system behind a PersistentVolume. */
export interface CephFSPersistentVolumeSource {
  /** Addresses of the Ceph monitors. At least one. */
  monitors: ListAtomic<string>;
  /** Directory of the file system to mount. Unset means `/`. */
  path?: string & OmitZero;
  /** Ceph user to authenticate as. Unset means `admin`. */
  user?: string & OmitZero;
  /** File on the node with the keyring of `user`. Unset means `/etc/ceph/user.secret`. */
  secretFile?: string & OmitZero;
  /** Secret with the key of `user`. Overrides `secretFile`. */
  secretRef?: SecretReference;
  /** Mounts the file system read-only. Unset means `false`. */
  readOnly?: boolean & OmitZero;
}

/** A volume of a FlexVolume driver behind a PersistentVolume. The driver is a program installed on the node. */
export interface FlexPersistentVolumeSource {
  /** Name of the driver, such as `example.com/lvm`. */
  driver: string;
  /** File system to mount, such as `ext4`. The driver chooses if it is unset. */
  fsType?: string & OmitZero;
  /** Secret whose keys are passed to the driver. Its type must be the name of the driver. */
  secretRef?: SecretReference;
  /** Mounts the volume read-only. Unset means `false`. */
  readOnly?: boolean & OmitZero;
  /** Settings for the driver. Keys in the domains `kubernetes.io` and `k8s.io` are reserved. */
  options?: Record<string, string>;
}

/** An Azure file share behind a PersistentVolume. */
export interface AzureFilePersistentVolumeSource {
  /** Name of the Secret with name and key of the storage account. */
  secretName: string;
  /** Name of the file share in the storage account. */
  shareName: string;
  /** Mounts the share read-only. Unset means `false`. */
  readOnly?: boolean & OmitZero;
  /** Namespace of the Secret; must not be empty. Unset means the namespace of the bound claim. */
  secretNamespace?: string & Nullable;
}

/** A ScaleIO volume behind a PersistentVolume. */
export interface ScaleIOPersistentVolumeSource {
  /** Host address of the ScaleIO API gateway. */
  gateway: string;
  /** Name of the storage system in ScaleIO. */
  system: string;
  /** Secret with user name and password for ScaleIO. Without it, login fails. */
  secretRef: SecretReference & Nullable;
  /** Whether to use TLS for the connection to the gateway. Unset means `false`. */
  sslEnabled?: boolean & OmitZero;
  /** Name of the ScaleIO protection domain of the storage. */
  protectionDomain?: string & OmitZero;
  /** Name of the ScaleIO storage pool of the protection domain. */
  storagePool?: string & OmitZero;
  /** Whether storage is allocated at once (`ThickProvisioned`) or as needed (`ThinProvisioned`). */
  storageMode?: string & OmitZero & Default<"ThinProvisioned"> & Published;
  /** Name of an existing volume in ScaleIO. Required. */
  volumeName?: string & OmitZero;
  /** File system to mount, such as `xfs` or `ext4`. */
  fsType?: string & OmitZero & Default<"xfs"> & Published;
  /** Mounts the volume read-only. Unset means `false`. */
  readOnly?: boolean & OmitZero;
}

/** A disk, partition or directory of one node. The PersistentVolume must name the node in `nodeAffinity`. */
export interface LocalVolumeSource {
  /** Path of the directory or block device on the node. Must not contain `..`. */
  path: string;
  /**
   * File system to mount, and to create on an empty device, if `path` is a block device. Unset means that it is
   * detected.
   */
  fsType?: string & Since<"1.12">;
}

/** A StorageOS volume behind a PersistentVolume. */
export interface StorageOSPersistentVolumeSource {
  /** Name of the volume, unique in its StorageOS namespace. Required; must be a DNS label. */
  volumeName?: string & OmitZero;
  /**
   * StorageOS namespace of the volume; must be a DNS label. Unset means one of the same name as the namespace of the
   * pod.
   */
  volumeNamespace?: string & OmitZero;
  /** File system to mount, such as `ext4` or `xfs`. `ext4` is used if unset. */
  fsType?: string & OmitZero;
  /** Mounts the volume read-only. Unset means `false`. */
  readOnly?: boolean & OmitZero;
  /**
   * Secret with credentials for the StorageOS API. `name` and `namespace` are required. If unset, default credentials
   * are tried.
   */
  secretRef?: ObjectReference;
}

/** A volume of a CSI driver behind a PersistentVolume. It exists independently of pods. */
export interface CSIPersistentVolumeSource {
  /** Name of the CSI driver that handles the volume. A DNS subdomain of at most 63 characters. */
  driver: string;
  /**
   * Identifier of the volume in the driver, which returned it when the volume was created. Passed to the driver in all
   * later calls.
   */
  volumeHandle: string;
  /** Asks the driver to publish the volume read-only. Unset means `false`. */
  readOnly?: boolean & OmitZero;
  /** File system to mount, such as `ext4` or `xfs`. The driver chooses if it is unset. */
  fsType?: string & OmitZero & Since<"1.10">;
  /** Attributes of the volume that the driver returned when it created the volume. */
  volumeAttributes?: Record<string, string> & Since<"1.10">;
  /**
   * Secret whose data the driver gets when it attaches the volume to a node, and detaches it. `name` and `namespace`
   * are required.
   */
  controllerPublishSecretRef?: SecretReference & Since<"1.10">;
  /** Secret whose data the driver gets when it prepares the volume on a node, before it is mounted for pods. */
  nodeStageSecretRef?: SecretReference & Since<"1.10">;
  /** Secret whose data the driver gets when it mounts the volume for a pod. `name` and `namespace` are required. */
  nodePublishSecretRef?: SecretReference & Since<"1.10">;
  /**
   * Secret whose data the driver gets when it expands the volume in the storage system. `name` and `namespace` are
   * required.
   */
  controllerExpandSecretRef?: SecretReference & Since<"1.15">;
  /**
   * Secret whose data the driver gets when it expands the file system of the volume on a node. `name` and `namespace`
   * are required.
   */
  nodeExpandSecretRef?: SecretReference & Since<"1.25">;
}
