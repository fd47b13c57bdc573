import type { Default, Deprecated, Int32, ListAtomic, Nullable, OmitZero, Published, Since } from "../../vocabulary.ts";
import type { LocalObjectReference } from "./references.ts";

/** An AWS Elastic Block Store volume. It must exist, in the zone of the node. */
export interface AWSElasticBlockStoreVolumeSource {
  /** Identifier of the EBS volume, such as `vol-0123456789abcdef0`. */
  volumeID: string;
  /** File system to mount, such as `ext4` or `xfs`. `ext4` is used if unset. */
  fsType?: string & OmitZero;
  /** Partition to mount, from 1 to 255. Unset or `0` mounts the whole volume. */
  partition?: Int32 & OmitZero;
  /** Mounts the volume read-only. Unset means `false`. */
  readOnly?: boolean & OmitZero;
}

/** An Azure data disk. */
export interface AzureDiskVolumeSource {
  /** Name of the data disk in its storage account or resource group. */
  diskName: string;
  /** URI of the data disk: `/subscriptions/…` for kind `Managed`, `https://…` of a blob for the other kinds. */
  diskURI: string;
  /** How the host caches reads and writes of the disk. */
  cachingMode?: AzureDataDiskCachingMode & Default<"ReadWrite"> & Published;
  /** File system to mount, such as `ext4`, `xfs` or `ntfs`. */
  fsType?: string & Default<"ext4"> & Published;
  /** Mounts the disk read-only. */
  readOnly?: boolean & Default<false> & Published;
  /** How the disk is stored in Azure. */
  kind?: AzureDataDiskKind & Default<"Shared"> & Published;
}

export type AzureDataDiskCachingMode =
  /** Nothing is cached. */
  | "None"
  /** Reads are cached. */
  | "ReadOnly"
  /** Reads and writes are cached. */
  | "ReadWrite";

export type AzureDataDiskKind =
  /** A blob in a storage account that several disks share. */
  | "Shared"
  /** A blob in a storage account of its own. */
  | "Dedicated"
  /** A managed disk. */
  | "Managed";

/** An Azure file share. */
export interface AzureFileVolumeSource {
  /** Name of a Secret, in the namespace of the pod, with name and key of the storage account. */
  secretName: string;
  /** Name of the file share in the storage account. */
  shareName: string;
  /** Mounts the share read-only. Unset means `false`. */
  readOnly?: boolean & OmitZero;
}

/** A CephFS file system. */
export interface CephFSVolumeSource {
  /** Addresses of the Ceph monitors. At least one. */
  monitors: ListAtomic<string>;
  /** Directory of the file system to mount. Unset means `/`. */
  path?: string & OmitZero;
  /** Ceph user to authenticate as. Unset means `admin`. */
  user?: string & OmitZero;
  /** File on the node with the keyring of `user`. Unset means `/etc/ceph/user.secret`. */
  secretFile?: string & OmitZero;
  /** Secret in the namespace of the pod with the key of `user`. Overrides `secretFile`. */
  secretRef?: LocalObjectReference;
  /** Mounts the file system read-only. Unset means `false`. */
  readOnly?: boolean & OmitZero;
}

/** An OpenStack Cinder volume. It must exist, in the region of the node. */
export interface CinderVolumeSource {
  /** Identifier of the Cinder volume. */
  volumeID: string;
  /** File system to mount, such as `ext4` or `xfs`. `ext4` is used if unset. */
  fsType?: string & OmitZero;
  /** Mounts the volume read-only. Unset means `false`. */
  readOnly?: boolean & OmitZero;
  /** Secret in the namespace of the pod with parameters for the connection to OpenStack. `name` is required. */
  secretRef?: LocalObjectReference & Since<"1.11">;
}

/** A disk that is accessed over Fibre Channel. Exactly one of `targetWWNs` (with `lun`) and `wwids` must be set. */
export interface FCVolumeSource {
  /** World Wide Names of the target ports. Requires `lun`. Excludes `wwids`. */
  targetWWNs?: ListAtomic<string>;
  /** Logical unit number at the target, from 0 to 255. Required with `targetWWNs`. */
  lun?: Int32;
  /** File system to mount, such as `ext4` or `xfs`. `ext4` is used if unset. */
  fsType?: string & OmitZero;
  /** Mounts the disk read-only. Unset means `false`. */
  readOnly?: boolean & OmitZero;
  /** World Wide Identifiers of the disk. Excludes `targetWWNs`. */
  wwids?: ListAtomic<string>;
}

/** A volume of a FlexVolume driver, which is a program installed on the node. */
export interface FlexVolumeSource {
  /** Name of the driver, such as `example.com/lvm`. */
  driver: string;
  /** File system to mount, such as `ext4`. The driver chooses if it is unset. */
  fsType?: string & OmitZero;
  /**
   * Secret in the namespace of the pod whose keys are passed to the driver. Its type must be the name of the driver.
   */
  secretRef?: LocalObjectReference;
  /** Mounts the volume read-only. Unset means `false`. */
  readOnly?: boolean & OmitZero;
  /** Settings for the driver. Keys in the domains `kubernetes.io` and `k8s.io` are reserved. */
  options?: Record<string, string>;
}

/** A Flocker dataset. Exactly one of `datasetName` and `datasetUUID` must be set. */
export interface FlockerVolumeSource {
  /** Name of the dataset, as in its metadata. Must not contain `/`. */
  datasetName?: string & OmitZero & Deprecated<"use `datasetUUID` instead">;
  /** UUID of the dataset. Excludes `datasetName`. */
  datasetUUID?: string & OmitZero;
}

/** A persistent disk of Google Compute Engine. It must exist, in the project and zone of the node. */
export interface GCEPersistentDiskVolumeSource {
  /** Name of the persistent disk. */
  pdName: string;
  /** File system to mount, such as `ext4` or `xfs`. `ext4` is used if unset. */
  fsType?: string & OmitZero;
  /** Partition to mount, from 1 to 255. Unset or `0` mounts the whole disk. */
  partition?: Int32 & OmitZero;
  /** Mounts the disk read-only, which allows several nodes to use it. Unset means `false`. */
  readOnly?: boolean & OmitZero;
}

/** A clone of a Git repository, made when the pod starts and not updated later. */
export interface GitRepoVolumeSource {
  /** URL of the Git repository. */
  repository: string;
  /** Commit hash, branch or tag to check out. Unset means the default branch. */
  revision?: string & OmitZero;
  /**
   * Directory of the volume to clone into, relative and without `..`. `.` clones into the volume itself; if unset, a
   * directory named after the repository is created.
   */
  directory?: string & OmitZero;
}

/** A volume of a GlusterFS cluster, mounted into the pod. */
export interface GlusterfsVolumeSource {
  /** Name of the Endpoints object, in the namespace of the pod, with the addresses of the GlusterFS servers. */
  endpoints: string;
  /** Name of the GlusterFS volume. */
  path: string;
  /** Mounts the volume read-only. Unset means `false`. */
  readOnly?: boolean & OmitZero;
}

/** A disk that is accessed over iSCSI. */
export interface ISCSIVolumeSource {
  /** Address of the target: `<IP address>` or `<IP address>:<port>`. The port 3260 is used if there is none. */
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
  /** Secret in the namespace of the pod with the CHAP user names and passwords. Required for CHAP authentication. */
  secretRef?: LocalObjectReference;
  /**
   * Name of the initiator, in one of the forms `iqn.…`, `eui.…` and `naa.…`. If set, an interface `<target
   * portal>:<volume name>` is created for the connection. Unset means that of the node.
   */
  initiatorName?: string;
}

/** A Photon Controller persistent disk. */
export interface PhotonPersistentDiskVolumeSource {
  /** Identifier of the persistent disk. */
  pdID: string;
  /** File system to mount, such as `ext4` or `xfs`. `ext4` is used if unset. */
  fsType?: string & OmitZero;
}

/** A volume of a Portworx cluster, mounted into the pod. */
export interface PortworxVolumeSource {
  /** Identifier of the Portworx volume. */
  volumeID: string;
  /** File system to mount: `ext4` or `xfs`. `ext4` is used if unset. */
  fsType?: string & OmitZero;
  /** Mounts the volume read-only. Unset means `false`. */
  readOnly?: boolean & OmitZero;
}

/** A volume of a Quobyte cluster, mounted into the pod. */
export interface QuobyteVolumeSource {
  /** Addresses of the Quobyte registry: `<host>:<port>` pairs, separated by commas. */
  registry: string;
  /** Name of an existing Quobyte volume. */
  volume: string;
  /** Mounts the volume read-only. Unset means `false`. */
  readOnly?: boolean & OmitZero;
  /** User as which the volume is accessed. Unset means the user of the Quobyte service. */
  user?: string & OmitZero;
  /** Group as which the volume is accessed. Unset means no group. */
  group?: string & OmitZero;
  /**
   * Identifier of the tenant that owns the volume, at most 64 characters. Set by the provisioner for dynamically
   * created volumes.
   */
  tenant?: string & OmitZero & Since<"1.14">;
}

/** A Ceph RADOS block device image. */
export interface RBDVolumeSource {
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
  /** Secret in the namespace of the pod with the key of `user`. Overrides `keyring`. */
  secretRef?: LocalObjectReference;
  /** Mounts the device read-only. Unset means `false`. */
  readOnly?: boolean & OmitZero;
}

/** A volume of a ScaleIO system, mounted into the pod. */
export interface ScaleIOVolumeSource {
  /** Host address of the ScaleIO API gateway. */
  gateway: string;
  /** Name of the storage system in ScaleIO. */
  system: string;
  /** Secret in the namespace of the pod with user name and password for ScaleIO. Without it, login fails. */
  secretRef: LocalObjectReference & Nullable;
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

/** A volume of a StorageOS cluster, mounted into the pod. */
export interface StorageOSVolumeSource {
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
   * Secret in the namespace of the pod with credentials for the StorageOS API. `name` is required. If unset, default
   * credentials are tried.
   */
  secretRef?: LocalObjectReference;
}

/** A vSphere virtual disk. */
export interface VsphereVirtualDiskVolumeSource {
  /** Path of the virtual disk in its datastore, such as `[datastore] volumes/disk`. */
  volumePath: string;
  /** File system to mount, such as `ext4` or `xfs`. `ext4` is used if unset. */
  fsType?: string & OmitZero;
  /** Name of the storage policy (SPBM) of the disk. */
  storagePolicyName?: string & OmitZero;
  /** Identifier of the storage policy (SPBM) named in `storagePolicyName`. */
  storagePolicyID?: string & OmitZero;
}
