import type { Default, Deprecated, Int32, ListAtomic, Nullable, OmitZero, Published } from "../../vocabulary.ts";
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

/** Where a persistent volume is; one of these. */
export interface PersistentVolumeSource {
  /** A persistent disk of Google Cloud. */
  gcePersistentDisk?: GCEPersistentDiskVolumeSource & Deprecated;
  /** A disk of AWS Elastic Block Store. */
  awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource & Deprecated;
  /** A file or directory of the node. */
  hostPath?: HostPathVolumeSource;
  /** A volume of GlusterFS. */
  glusterfs?: GlusterfsPersistentVolumeSource & Deprecated;
  /** A directory shared over NFS. */
  nfs?: NFSVolumeSource;
  /** An image of a Ceph cluster. */
  rbd?: RBDPersistentVolumeSource & Deprecated;
  /** A disk reached over iSCSI. */
  iscsi?: ISCSIPersistentVolumeSource;
  /** A volume of OpenStack Cinder. */
  cinder?: CinderPersistentVolumeSource & Deprecated;
  /** A CephFS file system. */
  cephfs?: CephFSPersistentVolumeSource & Deprecated;
  /** A disk reached over Fibre Channel. */
  fc?: FCVolumeSource;
  /** A dataset of Flocker. */
  flocker?: FlockerVolumeSource & Deprecated;
  /** A volume of a driver that is a program on the node. */
  flexVolume?: FlexPersistentVolumeSource & Deprecated;
  /** A file share of Azure. */
  azureFile?: AzureFilePersistentVolumeSource & Deprecated;
  /** A disk of vSphere. */
  vsphereVolume?: VsphereVirtualDiskVolumeSource & Deprecated;
  /** A volume of Quobyte. */
  quobyte?: QuobyteVolumeSource & Deprecated;
  /** A data disk of Azure. */
  azureDisk?: AzureDiskVolumeSource & Deprecated;
  /** A persistent disk of Photon. */
  photonPersistentDisk?: PhotonPersistentDiskVolumeSource & Deprecated;
  /** A volume of Portworx. */
  portworxVolume?: PortworxVolumeSource & Deprecated;
  /** A volume of ScaleIO. */
  scaleIO?: ScaleIOPersistentVolumeSource & Deprecated;
  /** A disk or directory of one node. */
  local?: LocalVolumeSource;
  /** A volume of StorageOS. */
  storageos?: StorageOSPersistentVolumeSource & Deprecated;
  /** A volume of a CSI driver. */
  csi?: CSIPersistentVolumeSource;
}

/** A volume of GlusterFS. */
export interface GlusterfsPersistentVolumeSource {
  /** Endpoints object with the servers. */
  endpoints: string;
  /** Name of the volume. */
  path: string;
  /** Mounts it read-only. */
  readOnly?: boolean & OmitZero;
  /** Namespace of the Endpoints object. */
  endpointsNamespace?: string;
}

/** An image of a Ceph cluster. */
export interface RBDPersistentVolumeSource {
  /** Addresses of the monitors. */
  monitors: ListAtomic<string>;
  /** Name of the image. */
  image: string;
  /** File system to mount. */
  fsType?: string & OmitZero;
  /** Pool the image is in. */
  pool?: string & OmitZero & Default<"rbd"> & Published;
  /** User to connect as. */
  user?: string & OmitZero & Default<"admin"> & Published;
  /** File with the keyring. */
  keyring?: string & OmitZero & Default<"/etc/ceph/keyring"> & Published;
  /** Secret with the credentials. */
  secretRef?: SecretReference;
  /** Mounts it read-only. */
  readOnly?: boolean & OmitZero;
}

/** A disk reached over iSCSI. */
export interface ISCSIPersistentVolumeSource {
  /** Address of the target. */
  targetPortal: string;
  /** Name of the target. */
  iqn: string;
  /** Number of the unit. */
  lun: Int32;
  /** Interface to connect through. */
  iscsiInterface?: string & OmitZero & Default<"default"> & Published;
  /** File system to mount. */
  fsType?: string & OmitZero;
  /** Mounts it read-only. */
  readOnly?: boolean & OmitZero;
  /** Further addresses of the target. */
  portals?: ListAtomic<string>;
  /** Whether discovery needs a password. */
  chapAuthDiscovery?: boolean & OmitZero;
  /** Whether the session needs a password. */
  chapAuthSession?: boolean & OmitZero;
  /** Secret with the credentials. */
  secretRef?: SecretReference;
  /** Name to connect under. */
  initiatorName?: string;
}

/** A volume of OpenStack Cinder. */
export interface CinderPersistentVolumeSource {
  /** Id of the volume. */
  volumeID: string;
  /** File system to mount. */
  fsType?: string & OmitZero;
  /** Mounts it read-only. */
  readOnly?: boolean & OmitZero;
  /** Secret with the credentials. */
  secretRef?: SecretReference;
}

/** A CephFS file system. */
export interface CephFSPersistentVolumeSource {
  /** Addresses of the monitors. */
  monitors: ListAtomic<string>;
  /** Path inside it. */
  path?: string & OmitZero;
  /** User to connect as. */
  user?: string & OmitZero;
  /** File with the keyring. */
  secretFile?: string & OmitZero;
  /** Secret with the credentials. */
  secretRef?: SecretReference;
  /** Mounts it read-only. */
  readOnly?: boolean & OmitZero;
}

/** A volume of a driver that is a program on the node. */
export interface FlexPersistentVolumeSource {
  /** Name of the driver. */
  driver: string;
  /** File system to mount. */
  fsType?: string & OmitZero;
  /** Secret with the credentials. */
  secretRef?: SecretReference;
  /** Mounts it read-only. */
  readOnly?: boolean & OmitZero;
  /** Settings for the driver. */
  options?: Record<string, string>;
}

/** A file share of Azure. */
export interface AzureFilePersistentVolumeSource {
  /** Secret with the account and its key. */
  secretName: string;
  /** Name of the share. */
  shareName: string;
  /** Mounts it read-only. */
  readOnly?: boolean & OmitZero;
  /** Namespace of the Secret. */
  secretNamespace?: string & Nullable;
}

/** A volume of ScaleIO. */
export interface ScaleIOPersistentVolumeSource {
  /** Address of the gateway. */
  gateway: string;
  /** Name of the storage system. */
  system: string;
  /** Secret with the credentials. */
  secretRef: SecretReference & Nullable;
  /** Whether to connect with TLS. */
  sslEnabled?: boolean & OmitZero;
  /** Protection domain to use. */
  protectionDomain?: string & OmitZero;
  /** Storage pool to use. */
  storagePool?: string & OmitZero;
  /** Thick or thin. */
  storageMode?: string & OmitZero & Default<"ThinProvisioned"> & Published;
  /** Name of the volume. */
  volumeName?: string & OmitZero;
  /** File system to mount. */
  fsType?: string & OmitZero & Default<"xfs"> & Published;
  /** Mounts it read-only. */
  readOnly?: boolean & OmitZero;
}

/** A disk or directory of one node. */
export interface LocalVolumeSource {
  /** Path on the node. */
  path: string;
  /** File system to make if it is a blank block device. */
  fsType?: string;
}

/** A volume of StorageOS. */
export interface StorageOSPersistentVolumeSource {
  /** Name of the volume. */
  volumeName?: string & OmitZero;
  /** Namespace of the volume in StorageOS. */
  volumeNamespace?: string & OmitZero;
  /** File system to mount. */
  fsType?: string & OmitZero;
  /** Mounts it read-only. */
  readOnly?: boolean & OmitZero;
  /** Secret with the credentials. */
  secretRef?: ObjectReference;
}

/** A volume of a CSI driver that lives and dies with the pod. */
export interface CSIPersistentVolumeSource {
  /** Name of the driver. */
  driver: string;
  /** What the driver calls the volume. */
  volumeHandle: string;
  /** Mounts it read-only. */
  readOnly?: boolean & OmitZero;
  /** File system to mount. */
  fsType?: string & OmitZero;
  /** Settings for the driver. */
  volumeAttributes?: Record<string, string>;
  /** Secret for attaching the volume. */
  controllerPublishSecretRef?: SecretReference;
  /** Secret for preparing the volume on the node. */
  nodeStageSecretRef?: SecretReference;
  /** Secret for the driver when it mounts the volume. */
  nodePublishSecretRef?: SecretReference;
  /** Secret for growing the volume. */
  controllerExpandSecretRef?: SecretReference;
  /** Secret for growing the volume on the node. */
  nodeExpandSecretRef?: SecretReference;
}
