import type { Default, Deprecated, Int32, ListAtomic, Nullable, OmitZero, Published } from "../../vocabulary.ts";
import type { LocalObjectReference } from "./references.ts";

/** A disk of AWS Elastic Block Store. */
export interface AWSElasticBlockStoreVolumeSource {
  /** Id of the disk. */
  volumeID: string;
  /** File system to mount. */
  fsType?: string & OmitZero;
  /** Partition to mount, counting from 1. */
  partition?: Int32 & OmitZero;
  /** Mounts it read-only. */
  readOnly?: boolean & OmitZero;
}

/** A data disk of Azure. */
export interface AzureDiskVolumeSource {
  /** Name of the disk. */
  diskName: string;
  /** Address of the disk. */
  diskURI: string;
  /** How the host caches it. */
  cachingMode?: AzureDataDiskCachingMode & Default<"ReadWrite"> & Published;
  /** File system to mount. */
  fsType?: string & Default<"ext4"> & Published;
  /** Mounts it read-only. */
  readOnly?: boolean & Default<false> & Published;
  /** Whether the disk is shared, dedicated or managed. */
  kind?: AzureDataDiskKind & Default<"Shared"> & Published;
}

export type AzureDataDiskCachingMode = "None" | "ReadOnly" | "ReadWrite";

export type AzureDataDiskKind = "Shared" | "Dedicated" | "Managed";

/** A file share of Azure. */
export interface AzureFileVolumeSource {
  /** Secret with the account and its key. */
  secretName: string;
  /** Name of the share. */
  shareName: string;
  /** Mounts it read-only. */
  readOnly?: boolean & OmitZero;
}

/** A CephFS file system. */
export interface CephFSVolumeSource {
  /** Addresses of the monitors. */
  monitors: ListAtomic<string>;
  /** Path inside it. */
  path?: string & OmitZero;
  /** User to connect as. */
  user?: string & OmitZero;
  /** File with the keyring. */
  secretFile?: string & OmitZero;
  /** Secret with the credentials. */
  secretRef?: LocalObjectReference;
  /** Mounts it read-only. */
  readOnly?: boolean & OmitZero;
}

/** A volume of OpenStack Cinder. */
export interface CinderVolumeSource {
  /** Id of the volume. */
  volumeID: string;
  /** File system to mount. */
  fsType?: string & OmitZero;
  /** Mounts it read-only. */
  readOnly?: boolean & OmitZero;
  /** Secret with the credentials. */
  secretRef?: LocalObjectReference;
}

/** A disk reached over Fibre Channel. */
export interface FCVolumeSource {
  /** World wide names of the targets. */
  targetWWNs?: ListAtomic<string>;
  /** Number of the unit. */
  lun?: Int32;
  /** File system to mount. */
  fsType?: string & OmitZero;
  /** Mounts it read-only. */
  readOnly?: boolean & OmitZero;
  /** World wide ids of the disk. */
  wwids?: ListAtomic<string>;
}

/** A volume of a driver that is a program on the node. */
export interface FlexVolumeSource {
  /** Name of the driver. */
  driver: string;
  /** File system to mount. */
  fsType?: string & OmitZero;
  /** Secret with the credentials. */
  secretRef?: LocalObjectReference;
  /** Mounts it read-only. */
  readOnly?: boolean & OmitZero;
  /** Settings for the driver. */
  options?: Record<string, string>;
}

/** A dataset of Flocker. */
export interface FlockerVolumeSource {
  /** Name of the dataset. */
  datasetName?: string & OmitZero & Deprecated;
  /** Id of the dataset. */
  datasetUUID?: string & OmitZero;
}

/** A persistent disk of Google Cloud. */
export interface GCEPersistentDiskVolumeSource {
  /** Name of the disk. */
  pdName: string;
  /** File system to mount. */
  fsType?: string & OmitZero;
  /** Partition to mount, counting from 1. */
  partition?: Int32 & OmitZero;
  /** Mounts it read-only. */
  readOnly?: boolean & OmitZero;
}

/** A checkout of a git repository. */
export interface GitRepoVolumeSource {
  /** Address of the repository. */
  repository: string;
  /** Commit to check out. */
  revision?: string & OmitZero;
  /** Directory to check it out into. */
  directory?: string & OmitZero;
}

/** A volume of GlusterFS. */
export interface GlusterfsVolumeSource {
  /** Endpoints object with the servers. */
  endpoints: string;
  /** Name of the volume. */
  path: string;
  /** Mounts it read-only. */
  readOnly?: boolean & OmitZero;
}

/** A disk reached over iSCSI. */
export interface ISCSIVolumeSource {
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
  secretRef?: LocalObjectReference;
  /** Name to connect under. */
  initiatorName?: string;
}

/** A persistent disk of Photon. */
export interface PhotonPersistentDiskVolumeSource {
  /** Id of the disk. */
  pdID: string;
  /** File system to mount. */
  fsType?: string & OmitZero;
}

/** A volume of Portworx. */
export interface PortworxVolumeSource {
  /** Id of the volume. */
  volumeID: string;
  /** File system to mount. */
  fsType?: string & OmitZero;
  /** Mounts it read-only. */
  readOnly?: boolean & OmitZero;
}

/** A volume of Quobyte. */
export interface QuobyteVolumeSource {
  /** Addresses of the registry. */
  registry: string;
  /** Name of the volume. */
  volume: string;
  /** Mounts it read-only. */
  readOnly?: boolean & OmitZero;
  /** User to mount as. */
  user?: string & OmitZero;
  /** Group to mount as. */
  group?: string & OmitZero;
  /** Tenant that owns the volume. */
  tenant?: string & OmitZero;
}

/** An image of a Ceph cluster. */
export interface RBDVolumeSource {
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
  secretRef?: LocalObjectReference;
  /** Mounts it read-only. */
  readOnly?: boolean & OmitZero;
}

/** A volume of ScaleIO. */
export interface ScaleIOVolumeSource {
  /** Address of the gateway. */
  gateway: string;
  /** Name of the storage system. */
  system: string;
  /** Secret with the credentials. */
  secretRef: LocalObjectReference & Nullable;
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

/** A volume of StorageOS. */
export interface StorageOSVolumeSource {
  /** Name of the volume. */
  volumeName?: string & OmitZero;
  /** Namespace of the volume in StorageOS. */
  volumeNamespace?: string & OmitZero;
  /** File system to mount. */
  fsType?: string & OmitZero;
  /** Mounts it read-only. */
  readOnly?: boolean & OmitZero;
  /** Secret with the credentials. */
  secretRef?: LocalObjectReference;
}

/** A disk of vSphere. */
export interface VsphereVirtualDiskVolumeSource {
  /** Path of the disk. */
  volumePath: string;
  /** File system to mount. */
  fsType?: string & OmitZero;
  /** Name of the storage policy. */
  storagePolicyName?: string & OmitZero;
  /** Id of the storage policy. */
  storagePolicyID?: string & OmitZero;
}
