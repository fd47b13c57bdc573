import type { ObjectMeta } from "../../meta/v1/object-meta.ts";
import type { Always, Default, Deprecated, Gated, OmitZero, Open, Quantity } from "../../vocabulary.ts";
import type { PullPolicy } from "./container.ts";
import type { PersistentVolumeClaimSpec } from "./persistent-volume-claim.ts";
import type {
  ConfigMapVolumeSource,
  DownwardAPIVolumeSource,
  ProjectedVolumeSource,
  SecretVolumeSource,
} from "./projected-volumes.ts";
import type { LocalObjectReference } from "./references.ts";
import type {
  AWSElasticBlockStoreVolumeSource,
  AzureDiskVolumeSource,
  AzureFileVolumeSource,
  CephFSVolumeSource,
  CinderVolumeSource,
  FCVolumeSource,
  FlexVolumeSource,
  FlockerVolumeSource,
  GCEPersistentDiskVolumeSource,
  GitRepoVolumeSource,
  GlusterfsVolumeSource,
  ISCSIVolumeSource,
  PhotonPersistentDiskVolumeSource,
  PortworxVolumeSource,
  QuobyteVolumeSource,
  RBDVolumeSource,
  ScaleIOVolumeSource,
  StorageOSVolumeSource,
  VsphereVirtualDiskVolumeSource,
} from "./storage-volumes.ts";

export interface Volume extends VolumeSource {
  name: string;
}

export interface VolumeSource {
  hostPath?: HostPathVolumeSource;
  emptyDir?: EmptyDirVolumeSource;
  gcePersistentDisk?: GCEPersistentDiskVolumeSource & Deprecated;
  awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource & Deprecated;
  gitRepo?: GitRepoVolumeSource & Deprecated;
  secret?: SecretVolumeSource;
  nfs?: NFSVolumeSource;
  iscsi?: ISCSIVolumeSource;
  glusterfs?: GlusterfsVolumeSource & Deprecated;
  persistentVolumeClaim?: PersistentVolumeClaimVolumeSource;
  rbd?: RBDVolumeSource & Deprecated;
  flexVolume?: FlexVolumeSource & Deprecated;
  cinder?: CinderVolumeSource & Deprecated;
  cephfs?: CephFSVolumeSource & Deprecated;
  flocker?: FlockerVolumeSource & Deprecated;
  downwardAPI?: DownwardAPIVolumeSource;
  fc?: FCVolumeSource;
  azureFile?: AzureFileVolumeSource & Deprecated;
  configMap?: ConfigMapVolumeSource;
  vsphereVolume?: VsphereVirtualDiskVolumeSource & Deprecated;
  quobyte?: QuobyteVolumeSource & Deprecated;
  azureDisk?: AzureDiskVolumeSource & Deprecated;
  photonPersistentDisk?: PhotonPersistentDiskVolumeSource & Deprecated;
  projected?: ProjectedVolumeSource;
  portworxVolume?: PortworxVolumeSource & Deprecated;
  scaleIO?: ScaleIOVolumeSource & Deprecated;
  storageos?: StorageOSVolumeSource & Deprecated;
  csi?: CSIVolumeSource;
  ephemeral?: EphemeralVolumeSource;
  image?: ImageVolumeSource & Gated<"ImageVolume">;
}

export interface HostPathVolumeSource {
  path: string;
  type?: HostPathType & Default<"">;
}

export type HostPathType =
  | ""
  | "DirectoryOrCreate"
  | "Directory"
  | "FileOrCreate"
  | "File"
  | "Socket"
  | "CharDevice"
  | "BlockDevice";

export interface EmptyDirVolumeSource {
  medium?: StorageMedium & OmitZero;
  sizeLimit?: Quantity;
}

export type StorageMedium = Open<"Memory" | "HugePages" | "HugePages-">;

export interface NFSVolumeSource {
  server: string;
  path: string;
  readOnly?: boolean & OmitZero;
}

export interface PersistentVolumeClaimVolumeSource {
  claimName: string;
  readOnly?: boolean & OmitZero;
}

export interface CSIVolumeSource {
  driver: string;
  readOnly?: boolean;
  fsType?: string;
  volumeAttributes?: Record<string, string>;
  nodePublishSecretRef?: LocalObjectReference;
}

export interface EphemeralVolumeSource {
  volumeClaimTemplate?: PersistentVolumeClaimTemplate;
}

export interface PersistentVolumeClaimTemplate {
  metadata?: ObjectMeta & Always;
  spec: PersistentVolumeClaimSpec;
}

export interface ImageVolumeSource {
  reference?: string & OmitZero;
  pullPolicy?: PullPolicy & OmitZero;
}
