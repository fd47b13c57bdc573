import type { ProcMountType, SELinuxOptions } from "../../core/v1/security.ts";
import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { type Always, type Default, type Int32, type Int64, kind, type OmitZero, type Open } from "../../vocabulary.ts";

export interface PodSecurityPolicy extends ClusterScoped {
  spec?: PodSecurityPolicySpec & Always;
}

export interface PodSecurityPolicySpec {
  privileged?: boolean & OmitZero;
  defaultAddCapabilities?: string[];
  requiredDropCapabilities?: string[];
  allowedCapabilities?: string[];
  volumes?: FSType[];
  hostNetwork?: boolean & OmitZero;
  hostPorts?: HostPortRange[];
  hostPID?: boolean & OmitZero;
  hostIPC?: boolean & OmitZero;
  seLinux: SELinuxStrategyOptions;
  runAsUser: RunAsUserStrategyOptions;
  runAsGroup?: RunAsGroupStrategyOptions;
  supplementalGroups: SupplementalGroupsStrategyOptions;
  fsGroup: FSGroupStrategyOptions;
  readOnlyRootFilesystem?: boolean & OmitZero;
  defaultAllowPrivilegeEscalation?: boolean;
  allowPrivilegeEscalation?: boolean & Default<true>;
  allowedHostPaths?: AllowedHostPath[];
  allowedFlexVolumes?: AllowedFlexVolume[];
  allowedCSIDrivers?: AllowedCSIDriver[];
  allowedUnsafeSysctls?: string[];
  forbiddenSysctls?: string[];
  allowedProcMountTypes?: ProcMountType[];
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
  | "quobyte"
  | "azureDisk"
  | "csi"
  | "*"
>;

export interface HostPortRange {
  min: Int32;
  max: Int32;
}

export interface SELinuxStrategyOptions {
  rule: SELinuxStrategy;
  seLinuxOptions?: SELinuxOptions;
}

export type SELinuxStrategy = Open<"MustRunAs" | "RunAsAny">;

export interface RunAsUserStrategyOptions {
  rule: RunAsUserStrategy;
  ranges?: IDRange[];
}

export type RunAsUserStrategy = Open<"MustRunAs" | "MustRunAsNonRoot" | "RunAsAny">;

export interface IDRange {
  min: Int64;
  max: Int64;
}

export interface RunAsGroupStrategyOptions {
  rule: RunAsGroupStrategy;
  ranges?: IDRange[];
}

export type RunAsGroupStrategy = Open<"MayRunAs" | "MustRunAs" | "RunAsAny">;

export interface SupplementalGroupsStrategyOptions {
  rule?: SupplementalGroupsStrategyType & OmitZero;
  ranges?: IDRange[];
}

export type SupplementalGroupsStrategyType = Open<"MustRunAs" | "RunAsAny">;

export interface FSGroupStrategyOptions {
  rule?: FSGroupStrategyType & OmitZero;
  ranges?: IDRange[];
}

export type FSGroupStrategyType = Open<"MustRunAs" | "RunAsAny">;

export interface AllowedHostPath {
  pathPrefix?: string & OmitZero;
  readOnly?: boolean & OmitZero;
}

export interface AllowedFlexVolume {
  driver: string;
}

export interface AllowedCSIDriver {
  name: string;
}

export interface RuntimeClassStrategyOptions {
  allowedRuntimeClassNames: string[];
  defaultRuntimeClassName?: string;
}

export const podSecurityPolicy = kind<PodSecurityPolicy>({
  plural: "podsecuritypolicies",
  shortNames: ["psp"],
  introduced: "1.2",
  deprecated: "1.11",
  removed: "1.16",
  replacement: "policy/v1beta1 PodSecurityPolicy",
  storedIn: "policy",
});
