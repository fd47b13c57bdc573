import type { Discriminator, Gated, Int64, ListAtomic, OmitZero, Open, Since } from "../../vocabulary.ts";

/**
 * Security settings for all containers of a pod and for its volumes. Containers can override most of them in their own
 * `securityContext`.
 */
export interface PodSecurityContext {
  /**
   * SELinux context of all containers. If unset, the runtime assigns a random one to each container. Not allowed for
   * Windows.
   */
  seLinuxOptions?: SELinuxOptions;
  /** Settings for Windows containers. Not allowed if `os.name` of the pod is `linux`. */
  windowsOptions?: WindowsSecurityContextOptions & Since<"1.15">;
  /**
   * User id that the first process of each container runs as, from 0 to 2147483647. Defaults to the user of the image.
   * Not allowed for Windows.
   */
  runAsUser?: Int64;
  /**
   * Primary group id that the first process of each container runs as, from 0 to 2147483647. Defaults to that of the
   * runtime. Not allowed for Windows.
   */
  runAsGroup?: Int64 & Since<"1.10">;
  /**
   * Requires that containers do not run as root: the kubelet refuses to start a container whose user id is 0. If unset
   * or `false`, nothing is checked.
   */
  runAsNonRoot?: boolean;
  /**
   * Ids of further groups of the first process of each container, in addition to its primary group and `fsGroup`, each
   * from 0 to 2147483647. `supplementalGroupsPolicy` determines whether groups from the image are added. Not allowed
   * for Windows.
   */
  supplementalGroups?: ListAtomic<Int64>;
  /**
   * How the further groups of the first process of each container are determined. Unset means `Merge`. `Strict` needs
   * support by the node: see `status.features` of the Node. Not allowed for Windows.
   */
  supplementalGroupsPolicy?: SupplementalGroupsPolicy & Gated<"SupplementalGroupsPolicy">;
  /**
   * Group id that owns the volumes of the pod, from 0 to 2147483647. For volumes that support it, the kubelet makes
   * this group the owner of all files, gives it read and write access and sets the set-group-id bit of directories, so
   * that new files belong to it. The group is added to those of each container. If unset, ownership is not changed. Not
   * allowed for Windows.
   */
  fsGroup?: Int64;
  /**
   * Kernel parameters for the pod, of namespaces that it does not share with the node: `net.*` is rejected with
   * `hostNetwork`, those of IPC with `hostIPC`. Parameters that Kubernetes does not consider safe must be allowed on
   * the node, otherwise the pod fails. Not allowed for Windows.
   */
  sysctls?: ListAtomic<Sysctl> & Since<"1.11">;
  /**
   * When the kubelet changes owner and permissions of volumes to match `fsGroup`. Has no effect on volumes such as
   * `secret`, `configMap` and `emptyDir`. Unset means `Always`. Not allowed for Windows.
   */
  fsGroupChangePolicy?: PodFSGroupChangePolicy & Since<"1.18">;
  /**
   * Seccomp profile, which restricts the system calls of all containers. If unset, the kubelet decides: `Unconfined`,
   * or `RuntimeDefault` if it is configured so. Not allowed for Windows.
   */
  seccompProfile?: SeccompProfile & Since<"1.19">;
  /**
   * AppArmor profile that confines all containers. If unset, that of the runtime is used on nodes with AppArmor. Not
   * allowed for Windows.
   */
  appArmorProfile?: AppArmorProfile & Since<"1.30">;
  /**
   * How volumes get the SELinux label of the pod. If unset, volumes with the access mode `ReadWriteOncePod` are mounted
   * with the label if their driver supports it, others are relabeled; the feature gate `SELinuxMount` extends this to
   * all access modes. All pods that use the same volume should have the same value. Not allowed for Windows.
   */
  seLinuxChangePolicy?: PodSELinuxChangePolicy & Gated<"SELinuxChangePolicy">;
}

export type SupplementalGroupsPolicy =
  /** The groups in `supplementalGroups` and `fsGroup`, and those that `/etc/group` of the image gives the user. */
  | "Merge"
  /** Only the groups in `supplementalGroups`, `fsGroup` and `runAsGroup`. */
  | "Strict";

export type PodFSGroupChangePolicy =
  /**
   * Owner and permissions are changed only if those of the root directory of the volume differ. Makes pods with large
   * volumes start faster.
   */
  | "OnRootMismatch"
  /** Owner and permissions of all files are changed whenever the volume is mounted. */
  | "Always";

export type PodSELinuxChangePolicy = Open<
  /**
   * The runtime relabels every file of the volume. Slow for large volumes, but pods with different labels can share a
   * volume.
   */
  | "Recursive"
  /**
   * The volume is mounted with the label, which takes no time. Rejected unless the feature gate `SELinuxMount` is on.
   */
  | "MountOption"
>;

/** An SELinux context. Parts that are unset are chosen by the runtime. */
export interface SELinuxOptions {
  /** User part of the context, such as `system_u`. */
  user?: string & OmitZero;
  /** Role part of the context, such as `system_r`. */
  role?: string & OmitZero;
  /** Type part of the context, such as `container_t`. */
  type?: string & OmitZero;
  /** Level part of the context, such as `s0:c123,c456`. */
  level?: string & OmitZero;
}

/** Security settings of Windows containers. */
export interface WindowsSecurityContextOptions {
  /**
   * Name of the GMSACredentialSpec object with the credentials of a group managed service account. Must be a DNS
   * subdomain. A webhook of GMSA copies its contents to `gmsaCredentialSpec`.
   */
  gmsaCredentialSpecName?: string;
  /**
   * Credential specification of a group managed service account, as JSON. Usually set by a webhook from
   * `gmsaCredentialSpecName`. Must not be empty; at most 64 KiB.
   */
  gmsaCredentialSpec?: string;
  /**
   * User that the entrypoint of the container runs as: `<user>` or `<domain>\<user>`, with a user of at most 104
   * characters. Defaults to the user of the image.
   */
  runAsUserName?: string & Since<"1.16">;
  /**
   * Runs containers as processes of the node (HostProcess containers). Either all containers of a pod are, or none; the
   * pod must use `hostNetwork`, and the server must allow privileged containers. Unset means `false`.
   */
  hostProcess?: boolean & Since<"1.22">;
}

/** A kernel parameter to set for a pod. */
export interface Sysctl {
  /**
   * Name of the parameter, such as `net.core.somaxconn`, with `.` or `/` as separators. At most 253 characters, unique
   * in the pod.
   */
  name: string;
  /** Value to set, as a string. */
  value: string;
}

/** A seccomp profile, which restricts the system calls of containers. */
export interface SeccompProfile {
  /** Kind of the profile. */
  type: SeccompProfileType & Discriminator;
  /**
   * Path of a profile file on the node, relative to the kubelet's directory for seccomp profiles, without `..`.
   * Required if `type` is `Localhost`, otherwise not allowed.
   */
  localhostProfile?: string;
}

export type SeccompProfileType =
  /** No profile: all system calls are allowed. */
  | "Unconfined"
  /** Default profile of the container runtime. */
  | "RuntimeDefault"
  /** Profile in a file on the node, named in `localhostProfile`. */
  | "Localhost";

/** An AppArmor profile, which confines what programs of containers can do. */
export interface AppArmorProfile {
  /** Kind of the profile. */
  type: AppArmorProfileType & Discriminator;
  /**
   * Name of a profile that is loaded on the node, without surrounding whitespace, at most 4095 characters. Required if
   * `type` is `Localhost`, otherwise not allowed.
   */
  localhostProfile?: string;
}

export type AppArmorProfileType =
  /** No profile: AppArmor restricts nothing. */
  | "Unconfined"
  /** Default profile of the container runtime. */
  | "RuntimeDefault"
  /** Profile that is loaded on the node, named in `localhostProfile`. */
  | "Localhost";

/** Security settings of one container. Fields that are set override those of the pod's `securityContext`. */
export interface SecurityContext {
  /** Linux capabilities to add to or drop from the runtime's default set. Not allowed for Windows. */
  capabilities?: Capabilities;
  /**
   * Runs the container in privileged mode, with nearly the rights of root on the node. Rejected if the server does not
   * allow privileged containers. Unset means `false`. Not allowed for Windows.
   */
  privileged?: boolean;
  /**
   * SELinux context of the container. Overrides that of the pod; if both are unset, the runtime assigns a random one.
   * Not allowed for Windows.
   */
  seLinuxOptions?: SELinuxOptions;
  /**
   * Settings for a Windows container. They override those of the pod. Not allowed if `os.name` of the pod is `linux`.
   */
  windowsOptions?: WindowsSecurityContextOptions & Since<"1.15">;
  /**
   * User id that the first process runs as, from 0 to 2147483647. Overrides that of the pod; if both are unset, the
   * user of the image is used. Not allowed for Windows.
   */
  runAsUser?: Int64;
  /**
   * Primary group id that the first process runs as, from 0 to 2147483647. Overrides that of the pod. Not allowed for
   * Windows.
   */
  runAsGroup?: Int64 & Since<"1.10">;
  /**
   * Requires that the container does not run as root: the kubelet refuses to start it with the user id 0. Overrides
   * that of the pod.
   */
  runAsNonRoot?: boolean;
  /**
   * Mounts the root file system of the container read-only; volumes can still be writable. Unset means `false`. Not
   * allowed for Windows.
   */
  readOnlyRootFilesystem?: boolean;
  /**
   * Whether a process can gain more privileges than its parent, such as by set-user-id programs (`false` sets the flag
   * `no_new_privs`). Cannot be `false` for privileged containers or those with the capability `CAP_SYS_ADMIN`. Unset
   * means `true`. Not allowed for Windows.
   */
  allowPrivilegeEscalation?: boolean;
  /**
   * How `/proc` is mounted in the container. `Unmasked` requires `hostUsers: false` in the pod. Unset means `Default`.
   * Not allowed for Windows.
   */
  procMount?: ProcMountType & Since<"1.12">;
  /** Seccomp profile of the container. Overrides that of the pod. Not allowed for Windows. */
  seccompProfile?: SeccompProfile & Since<"1.19">;
  /** AppArmor profile of the container. Overrides that of the pod. Not allowed for Windows. */
  appArmorProfile?: AppArmorProfile & Since<"1.30">;
}

export type ProcMountType =
  /** The runtime hides sensitive paths of `/proc` and mounts others read-only. */
  | "Default"
  /** All of `/proc` is accessible. For containers that run containers themselves. */
  | "Unmasked";

/**
 * Linux capabilities that differ from the default set of the container runtime. Names are without the prefix `CAP_`,
 * such as `NET_ADMIN`.
 */
export interface Capabilities {
  /** Capabilities to add; `ALL` adds all of them. */
  add?: ListAtomic<string>;
  /** Capabilities to drop; `ALL` drops all of them, except those in `add`. */
  drop?: ListAtomic<string>;
}
