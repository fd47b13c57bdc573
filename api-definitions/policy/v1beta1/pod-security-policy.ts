import type { ProcMountType, SELinuxOptions } from "../../core/v1/security.ts";
import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { type Always, type Default, type Int32, type Int64, kind, type OmitZero, type Open } from "../../vocabulary.ts";

/** What pods may ask for, as it was before pod security standards. */
export interface PodSecurityPolicy extends ClusterScoped {
  /** What is asked for. */
  spec?: PodSecurityPolicySpec & Always;
}

/** What pods may ask for. */
export interface PodSecurityPolicySpec {
  /** Whether containers may be privileged. */
  privileged?: boolean & OmitZero;
  /** Capabilities containers get unless they drop them. */
  defaultAddCapabilities?: string[];
  /** Capabilities containers must do without. */
  requiredDropCapabilities?: string[];
  /** Capabilities containers may ask for. */
  allowedCapabilities?: string[];
  /** Sorts of volumes that are allowed. */
  volumes?: FSType[];
  /** Whether the node's network may be used. */
  hostNetwork?: boolean & OmitZero;
  /** Host ports that are allowed. */
  hostPorts?: HostPortRange[];
  /** Whether the node's processes may be seen. */
  hostPID?: boolean & OmitZero;
  /** Whether the node's IPC may be shared. */
  hostIPC?: boolean & OmitZero;
  /** SELinux contexts that are allowed. */
  seLinux: SELinuxStrategyOptions;
  /** Users that are allowed. */
  runAsUser: RunAsUserStrategyOptions;
  /** Groups that are allowed. */
  runAsGroup?: RunAsGroupStrategyOptions;
  /** Further groups that are allowed. */
  supplementalGroups: SupplementalGroupsStrategyOptions;
  /** Groups that may own volumes. */
  fsGroup: FSGroupStrategyOptions;
  /** Whether root file systems must be read-only. */
  readOnlyRootFilesystem?: boolean & OmitZero;
  /** Whether processes may gain rights unless the pod says. */
  defaultAllowPrivilegeEscalation?: boolean;
  /** Whether pods may let processes gain rights. */
  allowPrivilegeEscalation?: boolean & Default<true>;
  /** Paths of the node that may be mounted. */
  allowedHostPaths?: AllowedHostPath[];
  /** Flex drivers that are allowed. */
  allowedFlexVolumes?: AllowedFlexVolume[];
  /** CSI drivers that are allowed in pods. */
  allowedCSIDrivers?: AllowedCSIDriver[];
  /** Unsafe kernel parameters that may be set. */
  allowedUnsafeSysctls?: string[];
  /** Kernel parameters that may not be set. */
  forbiddenSysctls?: string[];
  /** How `/proc` may be mounted. */
  allowedProcMountTypes?: ProcMountType[];
  /** Runtime classes that are allowed. */
  runtimeClass?: RuntimeClassStrategyOptions;
}

export type FSType = Open<
  | "azureFile"
  | "flocker"
  | "flexVolume"
  | "hostPath"
  | "emptyDir"
  | "gcePersistentDisk"
  | "awsElasticBlockStore"
  | "gitRepo"
  | "secret"
  | "nfs"
  | "iscsi"
  | "glusterfs"
  | "persistentVolumeClaim"
  | "rbd"
  | "cinder"
  | "cephFS"
  | "downwardAPI"
  | "fc"
  | "configMap"
  | "vsphereVolume"
  | "quobyte"
  | "azureDisk"
  | "photonPersistentDisk"
  | "storageos"
  | "projected"
  | "portworxVolume"
  | "scaleIO"
  | "csi"
  | "ephemeral"
  | "*"
>;

/** Ports of the node. */
export interface HostPortRange {
  /** First port. */
  min: Int32;
  /** Last port. */
  max: Int32;
}

/** SELinux contexts that are allowed. */
export interface SELinuxStrategyOptions {
  /** How strict it is. */
  rule: SELinuxStrategy;
  /** The context that is asked for. */
  seLinuxOptions?: SELinuxOptions;
}

export type SELinuxStrategy = Open<"MustRunAs" | "RunAsAny">;

/** Users that are allowed. */
export interface RunAsUserStrategyOptions {
  /** How strict it is. */
  rule: RunAsUserStrategy;
  /** The users. */
  ranges?: IDRange[];
}

export type RunAsUserStrategy = Open<"MustRunAs" | "MustRunAsNonRoot" | "RunAsAny">;

/** Ids of users or groups. */
export interface IDRange {
  /** First id. */
  min: Int64;
  /** Last id. */
  max: Int64;
}

/** Groups that are allowed. */
export interface RunAsGroupStrategyOptions {
  /** How strict it is. */
  rule: RunAsGroupStrategy;
  /** The groups. */
  ranges?: IDRange[];
}

export type RunAsGroupStrategy = Open<"MayRunAs" | "MustRunAs" | "RunAsAny">;

/** Further groups that are allowed. */
export interface SupplementalGroupsStrategyOptions {
  /** How strict it is. */
  rule?: SupplementalGroupsStrategyType & OmitZero;
  /** The groups. */
  ranges?: IDRange[];
}

export type SupplementalGroupsStrategyType = Open<"MayRunAs" | "MustRunAs" | "RunAsAny">;

/** Groups that may own volumes. */
export interface FSGroupStrategyOptions {
  /** How strict it is. */
  rule?: FSGroupStrategyType & OmitZero;
  /** The groups. */
  ranges?: IDRange[];
}

export type FSGroupStrategyType = Open<"MayRunAs" | "MustRunAs" | "RunAsAny">;

/** Paths of the node that may be mounted. */
export interface AllowedHostPath {
  /** How the paths begin. */
  pathPrefix?: string & OmitZero;
  /** Only read-only. */
  readOnly?: boolean & OmitZero;
}

/** A Flex driver that is allowed. */
export interface AllowedFlexVolume {
  /** Its name. */
  driver: string;
}

/** A CSI driver that is allowed. */
export interface AllowedCSIDriver {
  /** Its name. */
  name: string;
}

/** Runtime classes that are allowed. */
export interface RuntimeClassStrategyOptions {
  /** Their names. */
  allowedRuntimeClassNames: string[];
  /** The class for pods that name none. */
  defaultRuntimeClassName?: string;
}

export const podSecurityPolicy = kind<PodSecurityPolicy>({
  plural: "podsecuritypolicies",
  shortNames: ["psp"],
  introduced: "1.10",
  deprecated: "1.21",
  removed: "1.25",
  storedAs: "podsecuritypolicy",
  returnsDeleted: true,
});
