import type { Default, Deprecated, Int32, ListAtomic, Nullable, OmitZero, Published } from "../../vocabulary.ts";
import type { LocalObjectReference } from "./references.ts";

export interface AWSElasticBlockStoreVolumeSource {
  volumeID: string;
  fsType?: string & OmitZero;
  partition?: Int32 & OmitZero;
  readOnly?: boolean & OmitZero;
}

export interface AzureDiskVolumeSource {
  diskName: string;
  diskURI: string;
  cachingMode?: AzureDataDiskCachingMode & Default<"ReadWrite"> & Published;
  fsType?: string & Default<"ext4"> & Published;
  readOnly?: boolean & Default<false> & Published;
  kind?: AzureDataDiskKind & Default<"Shared"> & Published;
}

export type AzureDataDiskCachingMode = "None" | "ReadOnly" | "ReadWrite";

export type AzureDataDiskKind = "Shared" | "Dedicated" | "Managed";

export interface AzureFileVolumeSource {
  secretName: string;
  shareName: string;
  readOnly?: boolean & OmitZero;
}

export interface CephFSVolumeSource {
  monitors: ListAtomic<string>;
  path?: string & OmitZero;
  user?: string & OmitZero;
  secretFile?: string & OmitZero;
  secretRef?: LocalObjectReference;
  readOnly?: boolean & OmitZero;
}

export interface CinderVolumeSource {
  volumeID: string;
  fsType?: string & OmitZero;
  readOnly?: boolean & OmitZero;
  secretRef?: LocalObjectReference;
}

export interface FCVolumeSource {
  targetWWNs?: ListAtomic<string>;
  lun?: Int32;
  fsType?: string & OmitZero;
  readOnly?: boolean & OmitZero;
  wwids?: ListAtomic<string>;
}

export interface FlexVolumeSource {
  driver: string;
  fsType?: string & OmitZero;
  secretRef?: LocalObjectReference;
  readOnly?: boolean & OmitZero;
  options?: Record<string, string>;
}

export interface FlockerVolumeSource {
  datasetName?: string & OmitZero & Deprecated;
  datasetUUID?: string & OmitZero;
}

export interface GCEPersistentDiskVolumeSource {
  pdName: string;
  fsType?: string & OmitZero;
  partition?: Int32 & OmitZero;
  readOnly?: boolean & OmitZero;
}

export interface GitRepoVolumeSource {
  repository: string;
  revision?: string & OmitZero;
  directory?: string & OmitZero;
}

export interface GlusterfsVolumeSource {
  endpoints: string;
  path: string;
  readOnly?: boolean & OmitZero;
}

export interface ISCSIVolumeSource {
  targetPortal: string;
  iqn: string;
  lun: Int32;
  iscsiInterface?: string & OmitZero & Default<"default"> & Published;
  fsType?: string & OmitZero;
  readOnly?: boolean & OmitZero;
  portals?: ListAtomic<string>;
  chapAuthDiscovery?: boolean & OmitZero;
  chapAuthSession?: boolean & OmitZero;
  secretRef?: LocalObjectReference;
  initiatorName?: string;
}

export interface PhotonPersistentDiskVolumeSource {
  pdID: string;
  fsType?: string & OmitZero;
}

export interface PortworxVolumeSource {
  volumeID: string;
  fsType?: string & OmitZero;
  readOnly?: boolean & OmitZero;
}

export interface QuobyteVolumeSource {
  registry: string;
  volume: string;
  readOnly?: boolean & OmitZero;
  user?: string & OmitZero;
  group?: string & OmitZero;
  tenant?: string & OmitZero;
}

export interface RBDVolumeSource {
  monitors: ListAtomic<string>;
  image: string;
  fsType?: string & OmitZero;
  pool?: string & OmitZero & Default<"rbd"> & Published;
  user?: string & OmitZero & Default<"admin"> & Published;
  keyring?: string & OmitZero & Default<"/etc/ceph/keyring"> & Published;
  secretRef?: LocalObjectReference;
  readOnly?: boolean & OmitZero;
}

export interface ScaleIOVolumeSource {
  gateway: string;
  system: string;
  secretRef: LocalObjectReference & Nullable;
  sslEnabled?: boolean & OmitZero;
  protectionDomain?: string & OmitZero;
  storagePool?: string & OmitZero;
  storageMode?: string & OmitZero & Default<"ThinProvisioned"> & Published;
  volumeName?: string & OmitZero;
  fsType?: string & OmitZero & Default<"xfs"> & Published;
  readOnly?: boolean & OmitZero;
}

export interface StorageOSVolumeSource {
  volumeName?: string & OmitZero;
  volumeNamespace?: string & OmitZero;
  fsType?: string & OmitZero;
  readOnly?: boolean & OmitZero;
  secretRef?: LocalObjectReference;
}

export interface VsphereVirtualDiskVolumeSource {
  volumePath: string;
  fsType?: string & OmitZero;
  storagePolicyName?: string & OmitZero;
  storagePolicyID?: string & OmitZero;
}
