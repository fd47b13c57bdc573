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

/** A pod to be copied. */
export interface PodTemplateSpec {
  /** Labels and annotations of the copies. */
  metadata?: ObjectMeta & Always;
  /** What runs in them. */
  spec?: PodSpec & Always;
}

/** What runs in a pod, where and how. */
export interface PodSpec {
  /** Storage that containers can mount. */
  volumes?: ListMap<Volume, "name"> & PatchMerge<"name"> & PatchRetainKeys;
  /** Containers that run one after the other, each to its end, before the others start. */
  initContainers?: ListMap<Container, "name"> & PatchMerge<"name">;
  /** The containers; there is at least one, and the list is fixed for good. */
  containers: ListMap<Container, "name"> & PatchMerge<"name">;
  /** Containers added later to look at a running pod. */
  ephemeralContainers?: ListMap<EphemeralContainer, "name"> & PatchMerge<"name">;
  /** When containers that end are started again. */
  restartPolicy?: RestartPolicy & OmitZero & Default<"Always">;
  /** Seconds containers get to stop by themselves. */
  terminationGracePeriodSeconds?: Int64 & Default<30>;
  /** Seconds after which the pod is ended, come what may. */
  activeDeadlineSeconds?: Int64;
  /** Where the resolver's settings come from. */
  dnsPolicy?: DNSPolicy & OmitZero & Default<"ClusterFirst">;
  /** Labels the node must have. */
  nodeSelector?: MapAtomic<string>;
  /** Service account the pod acts as. */
  serviceAccountName?: string & OmitZero;
  /** Old name of `serviceAccountName`. */
  serviceAccount?: string & OmitZero & Deprecated;
  /** Whether the account's token is mounted. */
  automountServiceAccountToken?: boolean;
  /** The node it runs on. */
  nodeName?: string & OmitZero;
  /** Uses the node's network. */
  hostNetwork?: boolean & OmitZero;
  /** Sees the node's processes. */
  hostPID?: boolean & OmitZero;
  /** Shares the node's IPC. */
  hostIPC?: boolean & OmitZero;
  /** Lets containers see each other's processes. */
  shareProcessNamespace?: boolean;
  /** Privileges and restrictions for all containers. */
  securityContext?: PodSecurityContext & Default<{}>;
  /** Secrets with credentials to fetch images. */
  imagePullSecrets?: ListMap<LocalObjectReference, "name"> & PatchMerge<"name">;
  /** Host name of the pod; its own name unless said. */
  hostname?: string & OmitZero;
  /** Makes the host's full name `<hostname>.<subdomain>.<namespace>.svc.<cluster domain>`. */
  subdomain?: string & OmitZero;
  /** Rules about where it should run. */
  affinity?: Affinity;
  /** The scheduler that finds a node. */
  schedulerName?: string & OmitZero & Default<"default-scheduler">;
  /** Taints it puts up with. */
  tolerations?: ListAtomic<Toleration>;
  /** Extra lines for the hosts file. */
  hostAliases?: ListMap<HostAlias, "ip"> & PatchMerge<"ip">;
  /** Class that gives its priority. */
  priorityClassName?: string & OmitZero;
  /** Its priority, taken from the class. */
  priority?: Int32;
  /** Settings of the resolver, on top of the policy's. */
  dnsConfig?: PodDNSConfig;
  /** Conditions that must be true before it counts as ready. */
  readinessGates?: ListAtomic<PodReadinessGate>;
  /** Class of container runtime to run it with. */
  runtimeClassName?: string;
  /** Whether services of the namespace appear as environment variables. */
  enableServiceLinks?: boolean;
  /** Whether it may push out pods of lower priority. */
  preemptionPolicy?: PreemptionPolicy;
  /** What the runtime itself uses, from the runtime class. */
  overhead?: ResourceList;
  /** How pods spread over zones, nodes and other places. */
  topologySpreadConstraints?: ListMap<TopologySpreadConstraint, "topologyKey", "whenUnsatisfiable"> &
    PatchMerge<"topologyKey">;
  /** Uses the full name as host name. */
  setHostnameAsFQDN?: boolean;
  /** The operating system it is made for. */
  os?: PodOS;
  /** Whether it shares the node's users; false gives it users of its own. */
  hostUsers?: boolean;
  /** Holds it back until the list is empty. */
  schedulingGates?: ListMap<PodSchedulingGate, "name"> & PatchMerge<"name">;
  /** Devices that containers can use. */
  resourceClaims?: ListMap<PodResourceClaim, "name"> &
    PatchMerge<"name"> &
    PatchRetainKeys &
    Gated<"DynamicResourceAllocation">;
  /** What the pod needs and may use as a whole. */
  resources?: ResourceRequirements & Gated<"PodLevelResources">;
}

export type RestartPolicy = "Always" | "OnFailure" | "Never";

export type DNSPolicy = "ClusterFirstWithHostNet" | "ClusterFirst" | "Default" | "None";

export type PreemptionPolicy = "PreemptLowerPriority" | "Never";

/** Extra names for an address in the pod's hosts file. */
export interface HostAlias {
  /** The address. */
  ip: string;
  /** Its names. */
  hostnames?: ListAtomic<string>;
}

/** Settings of the pod's resolver, on top of what the DNS policy gives. */
export interface PodDNSConfig {
  /** Addresses of name servers. */
  nameservers?: ListAtomic<string>;
  /** Domains to search. */
  searches?: ListAtomic<string>;
  /** Options of the resolver. */
  options?: ListAtomic<PodDNSConfigOption>;
}

/** An option of the resolver. */
export interface PodDNSConfigOption {
  /** Name of the option. */
  name?: string & OmitZero;
  /** Its value, if it has one. */
  value?: string;
}

/** A condition that must be true before the pod counts as ready. */
export interface PodReadinessGate {
  /** Type of the condition. */
  conditionType: PodConditionType;
}

/** The operating system a pod is made for. */
export interface PodOS {
  /** `linux` or `windows`. */
  name: OSName;
}

export type OSName = Open<"linux" | "windows">;

/** Holds a pod back from scheduling. */
export interface PodSchedulingGate {
  /** Name of the gate. */
  name: string;
}

/** Devices the pod needs. */
export interface PodResourceClaim {
  /** Name by which containers refer to it. */
  name: string;
  /** A claim that exists. */
  resourceClaimName?: string;
  /** A template from which a claim is made for the pod. */
  resourceClaimTemplateName?: string;
}
