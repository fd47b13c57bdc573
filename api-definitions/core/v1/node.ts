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

export interface Node extends ClusterScoped {
  spec?: NodeSpec & Always;
  status?: NodeStatus & Always;
}

export interface NodeSpec {
  podCIDR?: string & OmitZero;
  podCIDRs?: ListSet<string> & PatchMerge;
  providerID?: string & OmitZero;
  unschedulable?: boolean & OmitZero;
  taints?: ListAtomic<Taint>;
  configSource?: NodeConfigSource & Deprecated;
  externalID?: string & OmitZero & Deprecated;
}

export interface NodeConfigSource {
  configMap?: ConfigMapNodeConfigSource;
}

export interface ConfigMapNodeConfigSource {
  namespace: string;
  name: string;
  uid?: string & OmitZero;
  resourceVersion?: string & OmitZero;
  kubeletConfigKey: string;
}

export interface NodeStatus {
  capacity?: ResourceList;
  allocatable?: ResourceList;
  phase?: NodePhase & OmitZero & Deprecated;
  conditions?: ListMap<NodeCondition, "type"> & PatchMerge<"type">;
  addresses?: ListMap<NodeAddress, "type"> & PatchMerge<"type">;
  daemonEndpoints?: NodeDaemonEndpoints & Always;
  nodeInfo?: NodeSystemInfo & Always;
  images?: ListAtomic<ContainerImage>;
  volumesInUse?: ListAtomic<string>;
  volumesAttached?: ListAtomic<AttachedVolume>;
  config?: NodeConfigStatus;
  runtimeHandlers?: ListAtomic<NodeRuntimeHandler> & Gated<"RecursiveReadOnlyMounts" | "UserNamespacesSupport">;
  features?: NodeFeatures & Gated<"SupplementalGroupsPolicy">;
}

export type NodePhase = "Pending" | "Running" | "Terminated";

export interface NodeCondition {
  type: NodeConditionType;
  status: ConditionStatus;
  lastHeartbeatTime?: Time & Always;
  lastTransitionTime?: Time & Always;
  reason?: string & OmitZero;
  message?: string & OmitZero;
}

export type NodeConditionType = Open<
  "Ready" | "MemoryPressure" | "DiskPressure" | "PIDPressure" | "NetworkUnavailable"
>;

export interface NodeAddress {
  type: NodeAddressType;
  address: string;
}

export type NodeAddressType = Open<"Hostname" | "InternalIP" | "ExternalIP" | "InternalDNS" | "ExternalDNS">;

export interface NodeDaemonEndpoints {
  kubeletEndpoint?: DaemonEndpoint & Always;
}

export interface DaemonEndpoint {
  Port: Int32;
}

export interface NodeSystemInfo {
  machineID: string;
  systemUUID: string;
  bootID: string;
  kernelVersion: string;
  osImage: string;
  containerRuntimeVersion: string;
  kubeletVersion: string;
  kubeProxyVersion: string & Deprecated;
  operatingSystem: string;
  architecture: string;
  swap?: NodeSwapStatus;
}

export interface NodeSwapStatus {
  capacity?: Int64;
}

export interface ContainerImage {
  names?: ListAtomic<string> & Always;
  sizeBytes?: Int64 & OmitZero;
}

export interface AttachedVolume {
  name: string;
  devicePath: string;
}

export interface NodeConfigStatus {
  assigned?: NodeConfigSource;
  active?: NodeConfigSource;
  lastKnownGood?: NodeConfigSource;
  error?: string & OmitZero;
}

export interface NodeRuntimeHandler {
  name?: string & Always;
  features?: NodeRuntimeHandlerFeatures;
}

export interface NodeRuntimeHandlerFeatures {
  recursiveReadOnlyMounts?: boolean & Gated<"RecursiveReadOnlyMounts">;
  userNamespaces?: boolean & Gated<"UserNamespacesSupport">;
}

export interface NodeFeatures {
  supplementalGroupsPolicy?: boolean;
}

export interface NodeProxyOptions extends TypeMeta {
  path?: string & OmitZero;
}

export const node = kind<Node>({
  plural: "nodes",
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
    { name: "Name", type: "string", format: "name", path: ".metadata.name" },
    { name: "Status", type: "string" },
    { name: "Roles", type: "string" },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp" },
    { name: "Version", type: "string" },
    { name: "Internal-IP", type: "string", priority: 1 },
    { name: "External-IP", type: "string", priority: 1 },
    { name: "OS-Image", type: "string", priority: 1 },
    { name: "Kernel-Version", type: "string", priority: 1 },
    { name: "Container-Runtime", type: "string", priority: 1 },
  ],
});

export const nodeProxyOptions = kind<NodeProxyOptions>({ unserved: true, introduced: "1.2" });
