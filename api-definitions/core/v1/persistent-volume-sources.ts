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

export interface PersistentVolumeSource {
  gcePersistentDisk?: GCEPersistentDiskVolumeSource & Deprecated;
  awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource & Deprecated;
  hostPath?: HostPathVolumeSource;
  glusterfs?: GlusterfsPersistentVolumeSource & Deprecated;
  nfs?: NFSVolumeSource;
  rbd?: RBDPersistentVolumeSource & Deprecated;
  iscsi?: ISCSIPersistentVolumeSource;
  cinder?: CinderPersistentVolumeSource & Deprecated;
  cephfs?: CephFSPersistentVolumeSource & Deprecated;
  fc?: FCVolumeSource;
  flocker?: FlockerVolumeSource & Deprecated;
  flexVolume?: FlexPersistentVolumeSource & Deprecated;
  azureFile?: AzureFilePersistentVolumeSource & Deprecated;
  vsphereVolume?: VsphereVirtualDiskVolumeSource & Deprecated;
  quobyte?: QuobyteVolumeSource & Deprecated;
  azureDisk?: AzureDiskVolumeSource & Deprecated;
  photonPersistentDisk?: PhotonPersistentDiskVolumeSource & Deprecated;
  portworxVolume?: PortworxVolumeSource & Deprecated;
  scaleIO?: ScaleIOPersistentVolumeSource & Deprecated;
  local?: LocalVolumeSource;
  storageos?: StorageOSPersistentVolumeSource & Deprecated;
  csi?: CSIPersistentVolumeSource;
}

export interface GlusterfsPersistentVolumeSource {
  endpoints: string;
  path: string;
  readOnly?: boolean & OmitZero;
  endpointsNamespace?: string;
}

export interface RBDPersistentVolumeSource {
  monitors: ListAtomic<string>;
  image: string;
  fsType?: string & OmitZero;
  pool?: string & OmitZero & Default<"rbd"> & Published;
  user?: string & OmitZero & Default<"admin"> & Published;
  keyring?: string & OmitZero & Default<"/etc/ceph/keyring"> & Published;
  secretRef?: SecretReference;
  readOnly?: boolean & OmitZero;
}

export interface ISCSIPersistentVolumeSource {
  targetPortal: string;
  iqn: string;
  lun: Int32;
  iscsiInterface?: string & OmitZero & Default<"default"> & Published;
  fsType?: string & OmitZero;
  readOnly?: boolean & OmitZero;
  portals?: ListAtomic<string>;
  chapAuthDiscovery?: boolean & OmitZero;
  chapAuthSession?: boolean & OmitZero;
  secretRef?: SecretReference;
  initiatorName?: string;
}

export interface CinderPersistentVolumeSource {
  volumeID: string;
  fsType?: string & OmitZero;
  readOnly?: boolean & OmitZero;
  secretRef?: SecretReference;
}

export interface CephFSPersistentVolumeSource {
  monitors: ListAtomic<string>;
  path?: string & OmitZero;
  user?: string & OmitZero;
  secretFile?: string & OmitZero;
  secretRef?: SecretReference;
  readOnly?: boolean & OmitZero;
}

export interface FlexPersistentVolumeSource {
  driver: string;
  fsType?: string & OmitZero;
  secretRef?: SecretReference;
  readOnly?: boolean & OmitZero;
  options?: Record<string, string>;
}

export interface AzureFilePersistentVolumeSource {
  secretName: string;
  shareName: string;
  readOnly?: boolean & OmitZero;
  secretNamespace?: string & Nullable;
}

export interface ScaleIOPersistentVolumeSource {
  gateway: string;
  system: string;
  secretRef: SecretReference & Nullable;
  sslEnabled?: boolean & OmitZero;
  protectionDomain?: string & OmitZero;
  storagePool?: string & OmitZero;
  storageMode?: string & OmitZero & Default<"ThinProvisioned"> & Published;
  volumeName?: string & OmitZero;
  fsType?: string & OmitZero & Default<"xfs"> & Published;
  readOnly?: boolean & OmitZero;
}

export interface LocalVolumeSource {
  path: string;
  fsType?: string;
}

export interface StorageOSPersistentVolumeSource {
  volumeName?: string & OmitZero;
  volumeNamespace?: string & OmitZero;
  fsType?: string & OmitZero;
  readOnly?: boolean & OmitZero;
  secretRef?: ObjectReference;
}

export interface CSIPersistentVolumeSource {
  driver: string;
  volumeHandle: string;
  readOnly?: boolean & OmitZero;
  fsType?: string & OmitZero;
  volumeAttributes?: Record<string, string>;
  controllerPublishSecretRef?: SecretReference;
  nodeStageSecretRef?: SecretReference;
  nodePublishSecretRef?: SecretReference;
  controllerExpandSecretRef?: SecretReference;
  nodeExpandSecretRef?: SecretReference;
}
