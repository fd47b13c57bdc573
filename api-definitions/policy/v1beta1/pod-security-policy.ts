import type { ProcMountType, SELinuxOptions } from "../../core/v1/security.ts";
import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { type Always, type Default, type Int32, type Int64, kind, type OmitZero, type Open } from "../../vocabulary.ts";

/**
 * Limits which security-relevant settings pods may use. Removed in release 1.25; use Pod Security Admission or an
 * admission policy instead. A pod is admitted if its user or service account is authorized to `use` a policy that
 * permits the pod.
 */
export interface PodSecurityPolicy extends ClusterScoped {
  /** Desired state of the PodSecurityPolicy: which settings of pods are permitted. */
  spec?: PodSecurityPolicySpec & Always;
}

/** Which security-relevant settings a policy permits in pods, and which defaults it sets in them. */
export interface PodSecurityPolicySpec {
  /** Whether containers may be privileged. If unset, they may not. */
  privileged?: boolean & OmitZero;
  /**
   * Linux capabilities that are added to each container unless it drops them. They need not be in
   * `allowedCapabilities`. A capability must not be in `requiredDropCapabilities` at the same time.
   */
  defaultAddCapabilities?: string[];
  /** Linux capabilities that are removed from each container. Containers must not add them. */
  requiredDropCapabilities?: string[];
  /**
   * Linux capabilities that containers may add besides the default ones; `*` permits all of them. A capability must not
   * be in `requiredDropCapabilities` at the same time.
   */
  allowedCapabilities?: string[];
  /** Types of volumes that pods may use; `*` permits all of them. If empty, no volumes are permitted. */
  volumes?: FSType[];
  /** Whether pods may use the network of the node. If unset, they may not. */
  hostNetwork?: boolean & OmitZero;
  /** Ranges of node ports that containers may use. If empty, none is permitted. */
  hostPorts?: HostPortRange[];
  /** Whether pods may use the process ID namespace of the node. If unset, they may not. */
  hostPID?: boolean & OmitZero;
  /** Whether pods may use the IPC namespace of the node. If unset, they may not. */
  hostIPC?: boolean & OmitZero;
  /** SELinux contexts that containers may run with. */
  seLinux: SELinuxStrategyOptions;
  /** User IDs that containers may run as. */
  runAsUser: RunAsUserStrategyOptions;
  /** Primary group IDs that containers may run as. If unset, all of them are permitted. */
  runAsGroup?: RunAsGroupStrategyOptions;
  /** Supplemental group IDs that pods may have. */
  supplementalGroups: SupplementalGroupsStrategyOptions;
  /** Group IDs that may own the volumes of a pod. */
  fsGroup: FSGroupStrategyOptions;
  /** Whether containers must have a read-only root file system. If unset, it may be writable. */
  readOnlyRootFilesystem?: boolean & OmitZero;
  /** Value that containers get for `allowPrivilegeEscalation` if they do not set it. If unset, they get none. */
  defaultAllowPrivilegeEscalation?: boolean;
  /**
   * Whether containers may set `allowPrivilegeEscalation` to `true`, so that a process can gain more privileges than
   * its parent.
   */
  allowPrivilegeEscalation?: boolean & Default<true>;
  /** Paths of the node that `hostPath` volumes may use. If empty, all of them are permitted. */
  allowedHostPaths?: AllowedHostPath[];
  /**
   * Drivers that `flexVolume` volumes may use, provided that `volumes` permits that type. If empty, all of them are
   * permitted.
   */
  allowedFlexVolumes?: AllowedFlexVolume[];
  /**
   * CSI drivers that inline `csi` volumes of pods may use, provided that `volumes` permits that type. If empty, all of
   * them are permitted.
   */
  allowedCSIDrivers?: AllowedCSIDriver[];
  /**
   * Unsafe kernel parameters that pods may set, by name or by prefix with a final `*`. A `*` alone permits all of them.
   * If empty, none is permitted. The kubelet must allow them, too.
   */
  allowedUnsafeSysctls?: string[];
  /**
   * Kernel parameters that pods must not set, by name or by prefix with a final `*`. A `*` alone forbids all of them.
   * If empty, none is forbidden.
   */
  forbiddenSysctls?: string[];
  /** Values that containers may set for `procMount`. If empty, only `Default` is permitted. */
  allowedProcMountTypes?: ProcMountType[];
  /** Runtime classes that pods may use. If unset, all of them are permitted. */
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

/** Range of ports of the node, including both ends. */
export interface HostPortRange {
  /** First port of the range. */
  min: Int32;
  /** Last port of the range, not less than `min`. */
  max: Int32;
}

/** Rule for the SELinux contexts of containers. */
export interface SELinuxStrategyOptions {
  /** How strict the rule for the SELinux context is. */
  rule: SELinuxStrategy;
  /**
   * SELinux context that containers must have; also the default for those that set none. Required if `rule` is
   * `MustRunAs`.
   */
  seLinuxOptions?: SELinuxOptions;
}

export type SELinuxStrategy = Open<
  /** Containers must have the context of `seLinuxOptions`. */
  | "MustRunAs"
  /** Containers may have any context. */
  | "RunAsAny"
>;

/** Rule for the user IDs of containers. */
export interface RunAsUserStrategyOptions {
  /** How strict the rule for the user ID is. */
  rule: RunAsUserStrategy;
  /** Ranges of permitted user IDs. Required if `rule` is `MustRunAs`; the first ID is then the default. */
  ranges?: IDRange[];
}

export type RunAsUserStrategy = Open<
  /** The user ID must be in one of `ranges`. */
  | "MustRunAs"
  /** The user ID must not be 0. */
  | "MustRunAsNonRoot"
  /** Any user ID is permitted. */
  | "RunAsAny"
>;

/** Range of user or group IDs, including both ends. */
export interface IDRange {
  /** First ID of the range. */
  min: Int64;
  /** Last ID of the range, not less than `min`. */
  max: Int64;
}

/** Rule for the primary group IDs of containers. */
export interface RunAsGroupStrategyOptions {
  /** How strict the rule for the primary group ID is. */
  rule: RunAsGroupStrategy;
  /**
   * Ranges of permitted group IDs. Required unless `rule` is `RunAsAny`. With `MustRunAs` the first ID is the default.
   */
  ranges?: IDRange[];
}

export type RunAsGroupStrategy = Open<
  /** No group ID is required; if there is one, it must be in one of `ranges`. */
  | "MayRunAs"
  /** The group ID must be in one of `ranges`. */
  | "MustRunAs"
  /** Any group ID is permitted. */
  | "RunAsAny"
>;

/** Rule for the supplemental group IDs of pods. */
export interface SupplementalGroupsStrategyOptions {
  /** How strict the rule for the supplemental group IDs is. */
  rule?: SupplementalGroupsStrategyType & OmitZero;
  /**
   * Ranges of permitted group IDs. Required unless `rule` is `RunAsAny`. With `MustRunAs` the first ID is the default.
   */
  ranges?: IDRange[];
}

export type SupplementalGroupsStrategyType = Open<
  /** No group ID is required; those that are set must be in one of `ranges`. */
  | "MayRunAs"
  /** All group IDs must be in one of `ranges`. */
  | "MustRunAs"
  /** Any group IDs are permitted. */
  | "RunAsAny"
>;

/** Rule for the group ID that owns the volumes of a pod. */
export interface FSGroupStrategyOptions {
  /** How strict the rule for the group ID of volumes is. */
  rule?: FSGroupStrategyType & OmitZero;
  /**
   * Ranges of permitted group IDs. Required unless `rule` is `RunAsAny`. With `MustRunAs` the first ID is the default.
   */
  ranges?: IDRange[];
}

export type FSGroupStrategyType = Open<
  /** No group ID is required; if there is one, it must be in one of `ranges`. */
  | "MayRunAs"
  /** The group ID must be in one of `ranges`. */
  | "MustRunAs"
  /** Any group ID is permitted. */
  | "RunAsAny"
>;

/** Paths of the node that `hostPath` volumes may use. */
export interface AllowedHostPath {
  /**
   * Path prefix that permits the path itself and everything below it: `/foo` permits `/foo` and `/foo/bar`, not
   * `/food`. Symbolic links can lead out of it unless `readOnly` is set.
   */
  pathPrefix?: string & OmitZero;
  /** Whether the paths may be mounted only read-only. If unset, they may be writable. */
  readOnly?: boolean & OmitZero;
}

/** A Flexvolume driver that pods may use. */
export interface AllowedFlexVolume {
  /** Name of the Flexvolume driver. */
  driver: string;
}

/** A CSI driver that inline volumes of pods may use. */
export interface AllowedCSIDriver {
  /** Name of the CSI driver, as it was registered. */
  name: string;
}

/** Rule for the runtime classes of pods. */
export interface RuntimeClassStrategyOptions {
  /**
   * Names of RuntimeClasses that pods may use; `*` permits all of them and must then be the only entry. If empty, pods
   * must not set a RuntimeClass.
   */
  allowedRuntimeClassNames: string[];
  /**
   * Name of the RuntimeClass for pods that set none. Must be permitted by `allowedRuntimeClassNames`. If unset, such
   * pods get none.
   */
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
