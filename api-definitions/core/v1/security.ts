import type { Discriminator, Gated, Int64, ListAtomic, OmitZero, Open } from "../../vocabulary.ts";

export interface PodSecurityContext {
  seLinuxOptions?: SELinuxOptions;
  windowsOptions?: WindowsSecurityContextOptions;
  runAsUser?: Int64;
  runAsGroup?: Int64;
  runAsNonRoot?: boolean;
  supplementalGroups?: ListAtomic<Int64>;
  supplementalGroupsPolicy?: SupplementalGroupsPolicy & Gated<"SupplementalGroupsPolicy">;
  fsGroup?: Int64;
  sysctls?: ListAtomic<Sysctl>;
  fsGroupChangePolicy?: PodFSGroupChangePolicy;
  seccompProfile?: SeccompProfile;
  appArmorProfile?: AppArmorProfile;
  seLinuxChangePolicy?: PodSELinuxChangePolicy & Gated<"SELinuxChangePolicy">;
}

export type SupplementalGroupsPolicy = "Merge" | "Strict";

export type PodFSGroupChangePolicy = "OnRootMismatch" | "Always";

export type PodSELinuxChangePolicy = Open<"Recursive" | "MountOption">;

export interface SELinuxOptions {
  user?: string & OmitZero;
  role?: string & OmitZero;
  type?: string & OmitZero;
  level?: string & OmitZero;
}

export interface WindowsSecurityContextOptions {
  gmsaCredentialSpecName?: string;
  gmsaCredentialSpec?: string;
  runAsUserName?: string;
  hostProcess?: boolean;
}

export interface Sysctl {
  name: string;
  value: string;
}

export interface SeccompProfile {
  type: SeccompProfileType & Discriminator;
  localhostProfile?: string;
}

export type SeccompProfileType = "Unconfined" | "RuntimeDefault" | "Localhost";

export interface AppArmorProfile {
  type: AppArmorProfileType & Discriminator;
  localhostProfile?: string;
}

export type AppArmorProfileType = "Unconfined" | "RuntimeDefault" | "Localhost";

export interface SecurityContext {
  capabilities?: Capabilities;
  privileged?: boolean;
  seLinuxOptions?: SELinuxOptions;
  windowsOptions?: WindowsSecurityContextOptions;
  runAsUser?: Int64;
  runAsGroup?: Int64;
  runAsNonRoot?: boolean;
  readOnlyRootFilesystem?: boolean;
  allowPrivilegeEscalation?: boolean;
  procMount?: ProcMountType;
  seccompProfile?: SeccompProfile;
  appArmorProfile?: AppArmorProfile;
}

export type ProcMountType = "Default" | "Unmasked";

export interface Capabilities {
  add?: ListAtomic<string>;
  drop?: ListAtomic<string>;
}
