import type { ClusterScoped, TypeMeta } from "../../meta/v1/type-meta.ts";
import {
  type Always,
  type Deprecated,
  type Gated,
  type Int32,
  type Int64,
  kind,
  type ListAtomic,
  type ListMap,
  type ListSet,
  type OmitZero,
  type Open,
  type PatchMerge,
  type Time,
} from "../../vocabulary.ts";
import type { ConditionStatus } from "./conditions.ts";
import type { ResourceList } from "./resources.ts";
import type { Taint } from "./scheduling.ts";

/** A machine that runs pods. */
export interface Node extends ClusterScoped {
  /** What is asked for. */
  spec?: NodeSpec & Always;
  /** What is the case, as last seen. */
  status?: NodeStatus & Always;
}

/** How a node takes part in the cluster. */
export interface NodeSpec {
  /** Addresses for the pods of the node. */
  podCIDR?: string & OmitZero;
  /** Addresses for the pods of the node, at most one range per family. */
  podCIDRs?: ListSet<string> & PatchMerge;
  /** What the cloud calls the machine. */
  providerID?: string & OmitZero;
  /** Keeps new pods away. */
  unschedulable?: boolean & OmitZero;
  /** Marks that keep pods away unless they tolerate them. */
  taints?: ListAtomic<Taint>;
  /** Where the kubelet once took its configuration from. */
  configSource?: NodeConfigSource & Deprecated;
  /** No longer used. */
  externalID?: string & OmitZero & Deprecated;
}

/** Where a kubelet takes its configuration from. */
export interface NodeConfigSource {
  /** A ConfigMap. */
  configMap?: ConfigMapNodeConfigSource;
}

/** A ConfigMap with the configuration of a kubelet. */
export interface ConfigMapNodeConfigSource {
  /** Namespace of the ConfigMap. */
  namespace: string;
  /** Name of the ConfigMap. */
  name: string;
  /** Its uid, set by the node. */
  uid?: string & OmitZero;
  /** The version in use, set by the node. */
  resourceVersion?: string & OmitZero;
  /** Key of the entry that holds the configuration. */
  kubeletConfigKey: string;
}

/** What is known of a node. */
export interface NodeStatus {
  /** All the node has. */
  capacity?: ResourceList;
  /** What is left for pods. */
  allocatable?: ResourceList;
  /** No longer used. */
  phase?: NodePhase & OmitZero & Deprecated;
  /** Findings about its health. */
  conditions?: ListMap<NodeCondition, "type"> & PatchMerge<"type">;
  /** Where it can be reached. */
  addresses?: ListMap<NodeAddress, "type"> & PatchMerge<"type">;
  /** Ports of its daemons. */
  daemonEndpoints?: NodeDaemonEndpoints & Always;
  /** Versions and ids. */
  nodeInfo?: NodeSystemInfo & Always;
  /** Images that are present. */
  images?: ListAtomic<ContainerImage>;
  /** Volumes in use by its pods. */
  volumesInUse?: ListAtomic<string>;
  /** Volumes attached to it. */
  volumesAttached?: ListAtomic<AttachedVolume>;
  /** Which configuration the kubelet uses. */
  config?: NodeConfigStatus;
  /** Runtime handlers it offers. */
  runtimeHandlers?: ListAtomic<NodeRuntimeHandler> & Gated<"RecursiveReadOnlyMounts" | "UserNamespacesSupport">;
  /** What its container runtime can do. */
  features?: NodeFeatures & Gated<"SupplementalGroupsPolicy">;
}

export type NodePhase = "Pending" | "Running" | "Terminated";

/** One finding about an object. */
export interface NodeCondition {
  /** What the finding is about. */
  type: NodeConditionType;
  /** Whether it holds: `True`, `False` or `Unknown`. */
  status: ConditionStatus;
  /** When it was last reported. */
  lastHeartbeatTime?: Time & Always;
  /** When the status last changed. */
  lastTransitionTime?: Time & Always;
  /** A word for the cause. */
  reason?: string & OmitZero;
  /** The cause, for people. */
  message?: string & OmitZero;
}

export type NodeConditionType = Open<
  "Ready" | "MemoryPressure" | "DiskPressure" | "PIDPressure" | "NetworkUnavailable"
>;

/** An address of a node. */
export interface NodeAddress {
  /** What sort of address it is. */
  type: NodeAddressType;
  /** The address. */
  address: string;
}

export type NodeAddressType = Open<"Hostname" | "InternalIP" | "ExternalIP" | "InternalDNS" | "ExternalDNS">;

/** Ports of the daemons on a node. */
export interface NodeDaemonEndpoints {
  /** The kubelet's. */
  kubeletEndpoint?: DaemonEndpoint & Always;
}

/** A port of a daemon on the node. */
export interface DaemonEndpoint {
  /** The port. */
  Port: Int32;
}

/** Versions and ids of a node. */
export interface NodeSystemInfo {
  /** Id of the machine's installation. */
  machineID: string;
  /** Id of the hardware. */
  systemUUID: string;
  /** Changes with every boot. */
  bootID: string;
  /** Version of the kernel. */
  kernelVersion: string;
  /** Name of the operating system's release. */
  osImage: string;
  /** Version of the container runtime. */
  containerRuntimeVersion: string;
  /** Version of the kubelet. */
  kubeletVersion: string;
  /** No longer filled in with anything to rely on. */
  kubeProxyVersion: string & Deprecated;
  /** `linux` or `windows`. */
  operatingSystem: string;
  /** Processor architecture. */
  architecture: string;
  /** Its swap memory. */
  swap?: NodeSwapStatus;
}

/** Swap memory of a node. */
export interface NodeSwapStatus {
  /** How much there is, in bytes. */
  capacity?: Int64;
}

/** An image that is present on a node. */
export interface ContainerImage {
  /** Names the image is known by. */
  names?: ListAtomic<string> & Always;
  /** Size of the image. */
  sizeBytes?: Int64 & OmitZero;
}

/** A volume attached to a node. */
export interface AttachedVolume {
  /** The volume, by its unique name. */
  name: string;
  /** Where the node sees the device. */
  devicePath: string;
}

/** Which configuration a kubelet uses. */
export interface NodeConfigStatus {
  /** The configuration it is trying to use. */
  assigned?: NodeConfigSource;
  /** The configuration it runs with. */
  active?: NodeConfigSource;
  /** The configuration to fall back to. */
  lastKnownGood?: NodeConfigSource;
  /** Why the assigned configuration cannot be used. */
  error?: string & OmitZero;
}

/** A runtime handler of a node. */
export interface NodeRuntimeHandler {
  /** Its name; empty for the default handler. */
  name?: string & Always;
  /** What it can do. */
  features?: NodeRuntimeHandlerFeatures;
}

/** What a runtime handler can do. */
export interface NodeRuntimeHandlerFeatures {
  /** Whether it can mount read-only all the way down. */
  recursiveReadOnlyMounts?: boolean & Gated<"RecursiveReadOnlyMounts">;
  /** Whether it can give pods users of their own. */
  userNamespaces?: boolean & Gated<"UserNamespacesSupport">;
}

/** What the container runtime of a node can do. */
export interface NodeFeatures {
  /** Whether it honours `supplementalGroupsPolicy`. */
  supplementalGroupsPolicy?: boolean;
}

/** Query parameters of a request passed on to a node. */
export interface NodeProxyOptions extends TypeMeta {
  /** Path to ask the node for. */
  path?: string & OmitZero;
}

export const node = kind<Node>({
  plural: "nodes",
  generation: false,
  shortNames: ["no"],
  introduced: "1.0",
  storedAs: "minions",
  subresources: {
    proxy: {
      kind: "NodeProxyOptions",
      verbs: ["create", "delete", "get", "patch", "update"],
      connect: {
        methods: ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"],
        options: "NodeProxyOptions",
        path: true,
      },
    },
    status: true,
  },
  selectableFields: ["spec.unschedulable"],
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "Status", type: "string", description: "State in one word." },
    { name: "Roles", type: "string", description: "Roles of the node, from its labels." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
    { name: "Version", type: "string", description: "Version of the kubelet." },
    { name: "Internal-IP", type: "string", priority: 1, description: "Address inside the cluster." },
    { name: "External-IP", type: "string", priority: 1, description: "Address outside the cluster." },
    { name: "OS-Image", type: "string", priority: 1, description: "Operating system." },
    { name: "Kernel-Version", type: "string", priority: 1, description: "Version of the kernel." },
    { name: "Container-Runtime", type: "string", priority: 1, description: "Version of the container runtime." },
  ],
});

export const nodeProxyOptions = kind<NodeProxyOptions>({ unserved: true, introduced: "1.2" });
