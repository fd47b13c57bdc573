import type { Discriminator, Gated, Int64, ListAtomic, OmitZero, Open } from "../../vocabulary.ts";

/** Privileges and restrictions for all containers of a pod. */
export interface PodSecurityContext {
  /** SELinux context. */
  seLinuxOptions?: SELinuxOptions;
  /** Settings for Windows. */
  windowsOptions?: WindowsSecurityContextOptions;
  /** User id processes run as. */
  runAsUser?: Int64;
  /** Group id processes run as. */
  runAsGroup?: Int64;
  /** Refuses to run anything as root. */
  runAsNonRoot?: boolean;
  /** Further groups of processes. */
  supplementalGroups?: ListAtomic<Int64>;
  /** Whether groups from the image count too. */
  supplementalGroupsPolicy?: SupplementalGroupsPolicy & Gated<"SupplementalGroupsPolicy">;
  /** Group that owns the pod's volumes. */
  fsGroup?: Int64;
  /** Kernel parameters to set. */
  sysctls?: ListAtomic<Sysctl>;
  /** When ownership of volumes is changed: always, or only if the top differs. */
  fsGroupChangePolicy?: PodFSGroupChangePolicy;
  /** Which system calls are allowed. */
  seccompProfile?: SeccompProfile;
  /** Which AppArmor profile confines processes. */
  appArmorProfile?: AppArmorProfile;
  /** How volumes get their SELinux label. */
  seLinuxChangePolicy?: PodSELinuxChangePolicy & Gated<"SELinuxChangePolicy">;
}

export type SupplementalGroupsPolicy = "Merge" | "Strict";

export type PodFSGroupChangePolicy = "OnRootMismatch" | "Always";

export type PodSELinuxChangePolicy = Open<"Recursive" | "MountOption">;

/** An SELinux context. */
export interface SELinuxOptions {
  /** User of the context. */
  user?: string & OmitZero;
  /** Role of the context. */
  role?: string & OmitZero;
  /** Type of the context. */
  type?: string & OmitZero;
  /** Level of the context. */
  level?: string & OmitZero;
}

/** Settings for Windows. */
export interface WindowsSecurityContextOptions {
  /** Name of the group managed service account's credentials. */
  gmsaCredentialSpecName?: string;
  /** The credentials themselves. */
  gmsaCredentialSpec?: string;
  /** User to run as. */
  runAsUserName?: string;
  /** Runs the container as a process of the node. */
  hostProcess?: boolean;
}

/** A kernel parameter. */
export interface Sysctl {
  /** Name of the parameter. */
  name: string;
  /** Its value. */
  value: string;
}

/** Which system calls are allowed. */
export interface SeccompProfile {
  /** Where the profile comes from. */
  type: SeccompProfileType & Discriminator;
  /** Path of a profile on the node, for type `Localhost`. */
  localhostProfile?: string;
}

export type SeccompProfileType = "Unconfined" | "RuntimeDefault" | "Localhost";

/** Which AppArmor profile confines a process. */
export interface AppArmorProfile {
  /** Where the profile comes from. */
  type: AppArmorProfileType & Discriminator;
  /** Name of a profile loaded on the node, for type `Localhost`. */
  localhostProfile?: string;
}

export type AppArmorProfileType = "Unconfined" | "RuntimeDefault" | "Localhost";

/** Privileges and restrictions of one container, ahead of those of the pod. */
export interface SecurityContext {
  /** Linux capabilities to grant or take away. */
  capabilities?: Capabilities;
  /** Gives it nearly all rights on the node. */
  privileged?: boolean;
  /** SELinux context. */
  seLinuxOptions?: SELinuxOptions;
  /** Settings for Windows. */
  windowsOptions?: WindowsSecurityContextOptions;
  /** User id it runs as. */
  runAsUser?: Int64;
  /** Group id it runs as. */
  runAsGroup?: Int64;
  /** Refuses to run as root. */
  runAsNonRoot?: boolean;
  /** Makes its root file system read-only. */
  readOnlyRootFilesystem?: boolean;
  /** Whether processes may gain rights their parent lacks. */
  allowPrivilegeEscalation?: boolean;
  /** How `/proc` is mounted. */
  procMount?: ProcMountType;
  /** Which system calls are allowed. */
  seccompProfile?: SeccompProfile;
  /** Which AppArmor profile confines it. */
  appArmorProfile?: AppArmorProfile;
}

export type ProcMountType = "Default" | "Unmasked";

/** Linux capabilities to grant or take away. */
export interface Capabilities {
  /** Capabilities the container gets on top. */
  add?: ListAtomic<string>;
  /** Capabilities taken from the container. */
  drop?: ListAtomic<string>;
}
