import type { ObjectMeta } from "../../meta/v1/object-meta.ts";
import type {
  Always,
  Default,
  Deprecated,
  Gated,
  Int32,
  Int64,
  ListAtomic,
  ListMap,
  MapAtomic,
  OmitZero,
  Open,
  PatchMerge,
  PatchRetainKeys,
} from "../../vocabulary.ts";
import type { Container } from "./container.ts";
import type { EphemeralContainer } from "./ephemeral-container.ts";
import type { PodConditionType } from "./pod-status.ts";
import type { LocalObjectReference } from "./references.ts";
import type { ResourceList, ResourceRequirements } from "./resources.ts";
import type { Affinity, Toleration, TopologySpreadConstraint } from "./scheduling.ts";
import type { PodSecurityContext } from "./security.ts";
import type { Volume } from "./volumes.ts";

export interface PodTemplateSpec {
  metadata?: ObjectMeta & Always;
  spec?: PodSpec & Always;
}

export interface PodSpec {
  volumes?: ListMap<Volume, "name"> & PatchMerge<"name"> & PatchRetainKeys;
  initContainers?: ListMap<Container, "name"> & PatchMerge<"name">;
  containers: ListMap<Container, "name"> & PatchMerge<"name">;
  ephemeralContainers?: ListMap<EphemeralContainer, "name"> & PatchMerge<"name">;
  restartPolicy?: RestartPolicy & OmitZero & Default<"Always">;
  terminationGracePeriodSeconds?: Int64 & Default<30>;
  activeDeadlineSeconds?: Int64;
  dnsPolicy?: DNSPolicy & OmitZero & Default<"ClusterFirst">;
  nodeSelector?: MapAtomic<string>;
  serviceAccountName?: string & OmitZero;
  serviceAccount?: string & OmitZero & Deprecated;
  automountServiceAccountToken?: boolean;
  nodeName?: string & OmitZero;
  hostNetwork?: boolean & OmitZero;
  hostPID?: boolean & OmitZero;
  hostIPC?: boolean & OmitZero;
  shareProcessNamespace?: boolean;
  securityContext?: PodSecurityContext & Default<{}>;
  imagePullSecrets?: ListMap<LocalObjectReference, "name"> & PatchMerge<"name">;
  hostname?: string & OmitZero;
  subdomain?: string & OmitZero;
  affinity?: Affinity;
  schedulerName?: string & OmitZero & Default<"default-scheduler">;
  tolerations?: ListAtomic<Toleration>;
  hostAliases?: ListMap<HostAlias, "ip"> & PatchMerge<"ip">;
  priorityClassName?: string & OmitZero;
  priority?: Int32;
  dnsConfig?: PodDNSConfig;
  readinessGates?: ListAtomic<PodReadinessGate>;
  runtimeClassName?: string;
  enableServiceLinks?: boolean;
  preemptionPolicy?: PreemptionPolicy;
  overhead?: ResourceList;
  topologySpreadConstraints?: ListMap<TopologySpreadConstraint, "topologyKey", "whenUnsatisfiable"> &
    PatchMerge<"topologyKey">;
  setHostnameAsFQDN?: boolean;
  os?: PodOS;
  hostUsers?: boolean;
  schedulingGates?: ListMap<PodSchedulingGate, "name"> & PatchMerge<"name">;
  resourceClaims?: ListMap<PodResourceClaim, "name"> &
    PatchMerge<"name"> &
    PatchRetainKeys &
    Gated<"DynamicResourceAllocation">;
  resources?: ResourceRequirements & Gated<"PodLevelResources">;
}

export type RestartPolicy = "Always" | "OnFailure" | "Never";

export type DNSPolicy = "ClusterFirstWithHostNet" | "ClusterFirst" | "Default" | "None";

export type PreemptionPolicy = "PreemptLowerPriority" | "Never";

export interface HostAlias {
  ip: string;
  hostnames?: ListAtomic<string>;
}

export interface PodDNSConfig {
  nameservers?: ListAtomic<string>;
  searches?: ListAtomic<string>;
  options?: ListAtomic<PodDNSConfigOption>;
}

export interface PodDNSConfigOption {
  name?: string & OmitZero;
  value?: string;
}

export interface PodReadinessGate {
  conditionType: PodConditionType;
}

export interface PodOS {
  name: OSName;
}

export type OSName = Open<"linux" | "windows">;

export interface PodSchedulingGate {
  name: string;
}

export interface PodResourceClaim {
  name: string;
  resourceClaimName?: string;
  resourceClaimTemplateName?: string;
}
