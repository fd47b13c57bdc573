import type { ObjectMeta } from "../../meta/v1/object-meta.ts";
import type { Always, Default, Deprecated, OmitZero, Open, Quantity, Since } from "../../vocabulary.ts";
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

/**
 * A volume of a pod: a directory or block device that its containers can use. At most one source can be set; a volume
 * without one is an `emptyDir`.
 */
export interface Volume extends VolumeSource {
  /**
   * Name of the volume, by which `volumeMounts` and `volumeDevices` refer to it. Must be a DNS label, unique in the
   * pod.
   */
  name: string;
}

/**
 * Source of a volume: where its data is and how it is accessed. At most one field can be set; without one the volume is
 * an `emptyDir`.
 */
export interface VolumeSource {
  /**
   * A file or directory of the node. Gives the pod access to the node's files: use it only for system software that
   * needs it, and read-only if possible.
   */
  hostPath?: HostPathVolumeSource;
  /**
   * A directory that is empty when the pod starts and is deleted with the pod. Containers of the pod can share it; it
   * survives restarts of containers.
   */
  emptyDir?: EmptyDirVolumeSource;
  /**
   * A persistent disk of Google Compute Engine, which must exist in the zone of the node. Handled by the CSI driver
   * `pd.csi.storage.gke.io`.
   */
  gcePersistentDisk?: GCEPersistentDiskVolumeSource & Deprecated<"use a PersistentVolume of a CSI driver instead">;
  /**
   * An AWS Elastic Block Store volume, which must exist in the zone of the node. Handled by the CSI driver
   * `ebs.csi.aws.com`.
   */
  awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource &
    Deprecated<"use a PersistentVolume of a CSI driver instead">;
  /** A clone of a Git repository, made when the pod starts. Nodes do not support it by default any more. */
  gitRepo?: GitRepoVolumeSource & Deprecated<"use an `emptyDir` into which an init container clones the repository">;
  /** Keys of a Secret as files. They are updated when the Secret changes, except for mounts with `subPath`. */
  secret?: SecretVolumeSource;
  /** A directory of an NFS server. Its data outlives the pod and can be shared by pods. */
  nfs?: NFSVolumeSource;
  /** A disk that is accessed over iSCSI. Its data outlives the pod. */
  iscsi?: ISCSIVolumeSource;
  /** A GlusterFS volume. Nodes have not supported it since v1.26. */
  glusterfs?: GlusterfsVolumeSource & Deprecated<"use a PersistentVolume of a CSI driver instead">;
  /** The volume that is bound to a PersistentVolumeClaim in the namespace of the pod. */
  persistentVolumeClaim?: PersistentVolumeClaimVolumeSource;
  /** A Ceph RADOS block device. Nodes have not supported it since v1.31. */
  rbd?: RBDVolumeSource & Deprecated<"use a PersistentVolume of a CSI driver instead">;
  /** A volume of a FlexVolume driver, which must be installed on the node. */
  flexVolume?: FlexVolumeSource & Deprecated<"use a PersistentVolume of a CSI driver instead">;
  /** An OpenStack Cinder volume. Handled by the CSI driver `cinder.csi.openstack.org`. */
  cinder?: CinderVolumeSource & Deprecated<"use a PersistentVolume of a CSI driver instead">;
  /** A CephFS file system. Nodes have not supported it since v1.31. */
  cephfs?: CephFSVolumeSource & Deprecated<"use a PersistentVolume of a CSI driver instead">;
  /** A Flocker dataset. Nodes have not supported it since v1.25. */
  flocker?: FlockerVolumeSource & Deprecated<"use a PersistentVolume of a CSI driver instead">;
  /**
   * Fields of the pod and resources of its containers as files. Labels and annotations are updated when they change.
   */
  downwardAPI?: DownwardAPIVolumeSource;
  /** A disk that is accessed over Fibre Channel. Its data outlives the pod. */
  fc?: FCVolumeSource;
  /** An Azure file share. Handled by the CSI driver `file.csi.azure.com`. */
  azureFile?: AzureFileVolumeSource & Deprecated<"use a PersistentVolume of a CSI driver instead">;
  /** Keys of a ConfigMap as files. They are updated when the ConfigMap changes, except for mounts with `subPath`. */
  configMap?: ConfigMapVolumeSource;
  /** A vSphere virtual disk. Handled by the CSI driver `csi.vsphere.vmware.com`. */
  vsphereVolume?: VsphereVirtualDiskVolumeSource & Deprecated<"use a PersistentVolume of a CSI driver instead">;
  /** A Quobyte volume. Nodes have not supported it since v1.25. */
  quobyte?: QuobyteVolumeSource & Deprecated<"use a PersistentVolume of a CSI driver instead">;
  /** An Azure data disk. Handled by the CSI driver `disk.csi.azure.com`. */
  azureDisk?: AzureDiskVolumeSource & Deprecated<"use a PersistentVolume of a CSI driver instead">;
  /** A Photon Controller persistent disk. Nodes have not supported it since v1.16. */
  photonPersistentDisk?: PhotonPersistentDiskVolumeSource &
    Deprecated<"use a PersistentVolume of a CSI driver instead">;
  /** Several sources, such as Secrets, ConfigMaps and service account tokens, as files in one directory. */
  projected?: ProjectedVolumeSource;
  /** A Portworx volume. Handled by the CSI driver `pxd.portworx.com`. */
  portworxVolume?: PortworxVolumeSource & Deprecated<"use a PersistentVolume of a CSI driver instead">;
  /** A ScaleIO volume. Nodes have not supported it since v1.22. */
  scaleIO?: ScaleIOVolumeSource & Deprecated<"use a PersistentVolume of a CSI driver instead">;
  /** A StorageOS volume. Nodes have not supported it since v1.25. */
  storageos?: StorageOSVolumeSource & Deprecated<"use a PersistentVolume of a CSI driver instead">;
  /** An ephemeral volume of a CSI driver, created and deleted with the pod. The driver must support this mode. */
  csi?: CSIVolumeSource & Since<"1.14">;
  /**
   * A volume for which a PersistentVolumeClaim is created with the pod, and deleted with it. Use it for scratch space
   * from a storage class: larger than `emptyDir`, with snapshots or network storage.
   */
  ephemeral?: EphemeralVolumeSource & Since<"1.19">;
  /**
   * Files of a container image or OCI artifact, read-only. Pulled by the kubelet with the credentials of the pod.
   * Dropped from new pods unless the feature gate `ImageVolume` is on; it is off by default.
   */
  image?: ImageVolumeSource & Since<"1.31">;
}

/** A file or directory of the node that is mounted into a pod. */
export interface HostPathVolumeSource {
  /** Path on the node. Symbolic links are followed. Must not contain `..`. */
  path: string;
  /** What is expected at `path`; the volume is not mounted otherwise. */
  type?: HostPathType & Default<"">;
}

export type HostPathType =
  /** No check before the mount. */
  | ""
  /** A directory; an empty one is created with permissions 0755 if nothing exists. */
  | "DirectoryOrCreate"
  /** An existing directory. */
  | "Directory"
  /** A file; an empty one is created with permissions 0644 if nothing exists. Its directory must exist. */
  | "FileOrCreate"
  /** An existing file. */
  | "File"
  /** An existing UNIX socket. */
  | "Socket"
  /** An existing character device. */
  | "CharDevice"
  /** An existing block device. */
  | "BlockDevice";

/** A directory that is empty when the pod starts and is deleted with the pod. */
export interface EmptyDirVolumeSource {
  /** Storage medium of the directory. If empty, the disk of the node that the kubelet uses. */
  medium?: StorageMedium & OmitZero;
  /**
   * Maximum size of the directory. A pod that exceeds it is evicted. With `Memory` the size is also bounded by the
   * memory limits of the containers, since its contents count towards them. No limit if unset.
   */
  sizeLimit?: Quantity;
}

export type StorageMedium = Open<
  /** Memory of the node (tmpfs). Contents count towards the memory limit of the container that writes them. */
  | "Memory"
  /** Huge pages of the only size that the pod requests. */
  | "HugePages"
  /** Prefix of `HugePages-<size>`, such as `HugePages-2Mi`: huge pages of that size. */
  | "HugePages-"
>;

/** A directory of an NFS server. */
export interface NFSVolumeSource {
  /** Host name or IP address of the NFS server. */
  server: string;
  /** Absolute path of the directory that the server exports. */
  path: string;
  /** Mounts the directory read-only. Unset means `false`. */
  readOnly?: boolean & OmitZero;
}

/** The volume that is bound to a PersistentVolumeClaim. */
export interface PersistentVolumeClaimVolumeSource {
  /**
   * Name of a PersistentVolumeClaim in the namespace of the pod. The pod does not start until the claim exists and is
   * bound. Must not be a claim that is created for an `ephemeral` volume of the same pod.
   */
  claimName: string;
  /** Mounts the volume read-only in all containers. Unset means `false`. */
  readOnly?: boolean & OmitZero;
}

/** An ephemeral volume of a CSI driver, which is created when the pod starts and deleted with it. */
export interface CSIVolumeSource {
  /**
   * Name of the CSI driver, as registered on the node and as its CSIDriver object is named. A DNS subdomain of at most
   * 63 characters.
   */
  driver: string;
  /** Asks the driver for a read-only volume. Unset means `false`. */
  readOnly?: boolean;
  /** File system to mount, such as `ext4`. Passed to the driver, which chooses if it is unset. */
  fsType?: string;
  /** Settings for the driver; see its documentation. */
  volumeAttributes?: Record<string, string>;
  /**
   * Secret in the namespace of the pod with data for the driver when it mounts and unmounts the volume. All its keys
   * are passed. `name` is required.
   */
  nodePublishSecretRef?: LocalObjectReference;
}

/** A volume for which a PersistentVolumeClaim is created together with the pod. */
export interface EphemeralVolumeSource {
  /**
   * PersistentVolumeClaim to create. Required. The claim is named `<pod name>-<volume name>`, owned by the pod and
   * deleted with it. If a claim of that name exists that the pod does not own, the pod does not start.
   */
  volumeClaimTemplate?: PersistentVolumeClaimTemplate;
}

/** Template of a PersistentVolumeClaim that is created for an ephemeral volume. */
export interface PersistentVolumeClaimTemplate {
  /** Labels and annotations of the claim. Other fields of metadata are rejected. */
  metadata?: ObjectMeta & Always;
  /** Spec of the claim, copied to it unchanged. */
  spec: PersistentVolumeClaimSpec;
}

/** A container image or OCI artifact whose files are mounted read-only. */
export interface ImageVolumeSource {
  /**
   * Name of the image or artifact, such as `registry.example.com/team/model:1.2`. Required. Pulled like the image of a
   * container.
   */
  reference?: string & OmitZero;
  /**
   * When the image is pulled. Defaults to `Always` if `reference` has the tag `latest`, or neither tag nor digest,
   * otherwise to `IfNotPresent`.
   */
  pullPolicy?: PullPolicy & OmitZero;
}
