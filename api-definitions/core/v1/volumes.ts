import type { ObjectMeta } from "../../meta/v1/object-meta.ts";
import type { Always, Default, Deprecated, OmitZero, Open, Quantity } from "../../vocabulary.ts";
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

/** Storage of a pod that containers can mount. */
export interface Volume extends VolumeSource {
  /** Name by which containers mount it. */
  name: string;
}

/** Where a volume comes from; one of these. */
export interface VolumeSource {
  /** A file or directory of the node. */
  hostPath?: HostPathVolumeSource;
  /** An empty directory that lives as long as the pod. */
  emptyDir?: EmptyDirVolumeSource;
  /** A persistent disk of Google Cloud. */
  gcePersistentDisk?: GCEPersistentDiskVolumeSource & Deprecated;
  /** A disk of AWS Elastic Block Store. */
  awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource & Deprecated;
  /** A checkout of a git repository. */
  gitRepo?: GitRepoVolumeSource & Deprecated;
  /** The entries of a Secret. */
  secret?: SecretVolumeSource;
  /** A directory shared over NFS. */
  nfs?: NFSVolumeSource;
  /** A disk reached over iSCSI. */
  iscsi?: ISCSIVolumeSource;
  /** A volume of GlusterFS. */
  glusterfs?: GlusterfsVolumeSource & Deprecated;
  /** The volume of a claim. */
  persistentVolumeClaim?: PersistentVolumeClaimVolumeSource;
  /** An image of a Ceph cluster. */
  rbd?: RBDVolumeSource & Deprecated;
  /** A volume of a driver that is a program on the node. */
  flexVolume?: FlexVolumeSource & Deprecated;
  /** A volume of OpenStack Cinder. */
  cinder?: CinderVolumeSource & Deprecated;
  /** A CephFS file system. */
  cephfs?: CephFSVolumeSource & Deprecated;
  /** A dataset of Flocker. */
  flocker?: FlockerVolumeSource & Deprecated;
  /** Facts about the pod. */
  downwardAPI?: DownwardAPIVolumeSource;
  /** A disk reached over Fibre Channel. */
  fc?: FCVolumeSource;
  /** A file share of Azure. */
  azureFile?: AzureFileVolumeSource & Deprecated;
  /** The entries of a ConfigMap. */
  configMap?: ConfigMapVolumeSource;
  /** A disk of vSphere. */
  vsphereVolume?: VsphereVirtualDiskVolumeSource & Deprecated;
  /** A volume of Quobyte. */
  quobyte?: QuobyteVolumeSource & Deprecated;
  /** A data disk of Azure. */
  azureDisk?: AzureDiskVolumeSource & Deprecated;
  /** A persistent disk of Photon. */
  photonPersistentDisk?: PhotonPersistentDiskVolumeSource & Deprecated;
  /** Several sources gathered in one directory. */
  projected?: ProjectedVolumeSource;
  /** A volume of Portworx. */
  portworxVolume?: PortworxVolumeSource & Deprecated;
  /** A volume of ScaleIO. */
  scaleIO?: ScaleIOVolumeSource & Deprecated;
  /** A volume of StorageOS. */
  storageos?: StorageOSVolumeSource & Deprecated;
  /** A volume of a CSI driver. */
  csi?: CSIVolumeSource;
  /** A volume made for the pod and deleted with it. */
  ephemeral?: EphemeralVolumeSource;
  /** The files of an image. */
  image?: ImageVolumeSource;
}

/** A file or directory of the node. */
export interface HostPathVolumeSource {
  /** Path on the node. */
  path: string;
  /** What must be there, or is made if it is not. */
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

/** An empty directory that lives as long as the pod. */
export interface EmptyDirVolumeSource {
  /** `Memory` keeps it in memory instead of on disk. */
  medium?: StorageMedium & OmitZero;
  /** How much it may hold. */
  sizeLimit?: Quantity;
}

export type StorageMedium = Open<"Memory" | "HugePages" | "HugePages-">;

/** A directory shared over NFS. */
export interface NFSVolumeSource {
  /** Host of the server. */
  server: string;
  /** Path the server exports. */
  path: string;
  /** Mounts it read-only. */
  readOnly?: boolean & OmitZero;
}

/** The volume of a claim. */
export interface PersistentVolumeClaimVolumeSource {
  /** Name of the claim, in the pod's namespace. */
  claimName: string;
  /** Mounts it read-only. */
  readOnly?: boolean & OmitZero;
}

/** A volume of a CSI driver that lives and dies with the pod. */
export interface CSIVolumeSource {
  /** Name of the driver. */
  driver: string;
  /** Mounts it read-only. */
  readOnly?: boolean;
  /** File system to mount. */
  fsType?: string;
  /** Settings for the driver. */
  volumeAttributes?: Record<string, string>;
  /** Secret for the driver when it mounts the volume. */
  nodePublishSecretRef?: LocalObjectReference;
}

/** A volume made for one pod and deleted with it. */
export interface EphemeralVolumeSource {
  /** The claim to make for it. */
  volumeClaimTemplate?: PersistentVolumeClaimTemplate;
}

/** A claim to be made for each pod. */
export interface PersistentVolumeClaimTemplate {
  /** Labels and annotations for the claim. */
  metadata?: ObjectMeta & Always;
  /** What storage to ask for. */
  spec: PersistentVolumeClaimSpec;
}

/** The files of an image. */
export interface ImageVolumeSource {
  /** The image. */
  reference?: string & OmitZero;
  /** When the image is fetched anew. */
  pullPolicy?: PullPolicy & OmitZero;
}
