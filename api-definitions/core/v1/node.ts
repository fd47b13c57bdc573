import type { ClusterScoped, TypeMeta } from "../../meta/v1/type-meta.ts";
import {
  type Always,
  type Deprecated,
  type Int32,
  type Int64,
  kind,
  type ListAtomic,
  type ListMap,
  type ListSet,
  type OmitZero,
  type Open,
  type PatchMerge,
  type Since,
  type Time,
} from "../../vocabulary.ts";
import type { ConditionStatus } from "./conditions.ts";
import type { ResourceList } from "./resources.ts";
import type { Taint } from "./scheduling.ts";

/**
 * A machine, virtual or physical, that runs pods. The kubelet on the machine registers its Node and keeps the status up
 * to date; administrators edit labels, taints and `spec.unschedulable`.
 */
export interface Node extends ClusterScoped {
  /** Desired state of the Node. */
  spec?: NodeSpec & Always;
  /**
   * Observed state of the Node, set by the kubelet: resources, conditions, addresses, versions, images and volumes. The
   * kubelet may also send it when it creates the Node.
   */
  status?: NodeStatus & Always;
}

/** How a Node takes part in the cluster: whether pods are scheduled to it, and its pod network. */
export interface NodeSpec {
  /**
   * Range of pod IP addresses of the node, in CIDR notation. Always equals the first entry of `podCIDRs`, and replaces
   * that list if the two differ. Usually assigned by the controller manager; cannot be changed once set.
   */
  podCIDR?: string & OmitZero;
  /**
   * Ranges of pod IP addresses of the node, in CIDR notation: at most one of IPv4 and one of IPv6. The first entry
   * equals `podCIDR`. Usually assigned by the controller manager; cannot be changed once set.
   */
  podCIDRs?: ListSet<string> & PatchMerge & Since<"1.16">;
  /**
   * Identifier of the machine at the cloud provider, in the form `<provider>://<id>`. Set by the kubelet or the cloud
   * controller manager; cannot be changed once set.
   */
  providerID?: string & OmitZero;
  /**
   * Whether the scheduler avoids the node for new pods, as after `kubectl cordon`. Running pods are not affected, and
   * DaemonSet pods are still scheduled. Unset means `false`.
   */
  unschedulable?: boolean & OmitZero;
  /**
   * Taints of the node. Pods that do not tolerate a taint are not scheduled here, or are evicted, depending on its
   * `effect`. No two taints may have the same `key` and `effect`.
   */
  taints?: ListAtomic<Taint>;
  /** Source of the kubelet's configuration, for a feature that has been removed. The server drops it from new Nodes. */
  configSource?: NodeConfigSource & Deprecated;
  /** Identifier of the machine outside the cluster. Not used by any component, and cannot be changed after creation. */
  externalID?: string & OmitZero & Deprecated;
}

/**
 * Source of a kubelet's configuration, for the removed feature of dynamic kubelet configuration. Exactly one field must
 * be set.
 */
export interface NodeConfigSource {
  /** ConfigMap that holds the kubelet's configuration. Required, because it is the only kind of source. */
  configMap?: ConfigMapNodeConfigSource & Since<"1.11">;
}

/** Reference to the ConfigMap entry that holds a kubelet's configuration. */
export interface ConfigMapNodeConfigSource {
  /** Namespace of the ConfigMap. Must be a DNS label. */
  namespace: string;
  /** Name of the ConfigMap. Must be a DNS subdomain. */
  name: string;
  /** UID of the ConfigMap. Must be empty in `spec` and set in `status`. */
  uid?: string & OmitZero;
  /** Resource version of the ConfigMap. Must be empty in `spec` and set in `status`. */
  resourceVersion?: string & OmitZero;
  /** Key of the ConfigMap entry whose value is the kubelet's configuration. */
  kubeletConfigKey: string;
}

/**
 * Observed state of a Node. Most of it is set by the kubelet; `volumesAttached` and some conditions and addresses are
 * set by controllers.
 */
export interface NodeStatus {
  /**
   * Total resources of the node, such as `cpu`, `memory`, `ephemeral-storage`, `pods` and extended resources. Set by
   * the kubelet; administrators may add extended resources.
   */
  capacity?: ResourceList;
  /**
   * Resources of the node that pods may request in total: `capacity` minus what is reserved for system daemons and
   * eviction thresholds. Running pods do not reduce it. The scheduler compares the sum of pods' requests with it. Set
   * by the kubelet; defaults to `capacity`.
   */
  allocatable?: ResourceList;
  /** Formerly the phase of the node's lifecycle. No component sets it. */
  phase?: NodePhase & OmitZero & Deprecated<"use `conditions` instead">;
  /**
   * Observed conditions of the node, such as whether it is ready or short of memory. Set by the kubelet; the node
   * lifecycle controller sets them to `Unknown` when the node stops reporting.
   */
  conditions?: ListMap<NodeCondition, "type"> & PatchMerge<"type">;
  /**
   * Addresses at which the node can be reached, set by the kubelet or the cloud controller manager. A type may occur
   * more than once, but not with the same address; replace the whole list when you patch it.
   */
  addresses?: ListMap<NodeAddress, "type"> & PatchMerge<"type">;
  /** Ports on which daemons of the node listen, set by the kubelet. */
  daemonEndpoints?: NodeDaemonEndpoints & Always;
  /** Identifiers, versions and platform of the node, set by the kubelet. */
  nodeInfo?: NodeSystemInfo & Always;
  /**
   * Container images that are present on the node, largest first. Set by the kubelet, which reports at most 50 by
   * default. The scheduler prefers nodes that already have a pod's images.
   */
  images?: ListAtomic<ContainerImage>;
  /**
   * Unique names of attachable volumes that pods on the node use, set by the kubelet. A volume in this list is not safe
   * to detach.
   */
  volumesInUse?: ListAtomic<string>;
  /** Volumes that are attached to the node, set by the attach/detach controller. */
  volumesAttached?: ListAtomic<AttachedVolume>;
  /**
   * Configuration that the kubelet uses, for a feature that has been removed. The server drops it from Nodes that do
   * not have it already.
   */
  config?: NodeConfigStatus & Since<"1.11">;
  /** Handlers that the node's container runtime offers, and the features of each. Set by the kubelet. */
  runtimeHandlers?: ListAtomic<NodeRuntimeHandler>;
  /** Features of the node's container runtime that do not depend on the handler. Set by the kubelet. */
  features?: NodeFeatures;
}

export type NodePhase =
  /** The machine was created but was not configured yet. */
  | "Pending"
  /** The machine was configured and ran the components of a node. */
  | "Running"
  /** The machine was removed from the cluster. */
  | "Terminated";

/** One aspect of a node's observed state, such as whether it is ready. */
export interface NodeCondition {
  /** Type of the condition, such as `Ready`. */
  type: NodeConditionType;
  /** Status of the condition: `True`, `False` or `Unknown`. */
  status: ConditionStatus;
  /**
   * Time at which the kubelet last reported this condition. Unchanged conditions are reported every 5 minutes by
   * default; whether the node is alive is seen from its Lease instead.
   */
  lastHeartbeatTime?: Time & Always;
  /** Time at which `status` last changed. */
  lastTransitionTime?: Time & Always;
  /** Machine-readable reason of the last transition, in CamelCase. */
  reason?: string & OmitZero;
  /** Human-readable details of the last transition. */
  message?: string & OmitZero;
}

export type NodeConditionType = Open<
  /** The kubelet is healthy and the node accepts pods. */
  | "Ready"
  /** The node is low on memory. */
  | "MemoryPressure"
  /** The node is low on disk space or inodes. */
  | "DiskPressure"
  /** The node is low on process IDs. */
  | "PIDPressure"
  /** The network of the node is not configured. */
  | "NetworkUnavailable"
>;

/** An address at which a node can be reached. */
export interface NodeAddress {
  /** Type of the address: an IP address or a name, inside or outside the cluster network. */
  type: NodeAddressType;
  /** IP address or host name, according to `type`. */
  address: string;
}

export type NodeAddressType = Open<
  /** Host name of the node, as its kubelet reports it. */
  | "Hostname"
  /** IP address that is reachable inside the cluster. */
  | "InternalIP"
  /** IP address that is reachable from outside the cluster. */
  | "ExternalIP"
  /** DNS name that resolves to an internal IP address. */
  | "InternalDNS"
  /** DNS name that resolves to an external IP address. */
  | "ExternalDNS"
>;

/** Ports on which the daemons of a node listen. */
export interface NodeDaemonEndpoints {
  /**
   * Port of the kubelet's HTTPS server, usually 10250. The API server connects to it for logs, exec, attach and port
   * forwarding.
   */
  kubeletEndpoint?: DaemonEndpoint & Always;
}

/** A port on which a daemon of a node listens. */
export interface DaemonEndpoint {
  /** TCP port number of the daemon. The name of this field begins with a capital letter. */
  Port: Int32;
}

/** Identifiers, versions and platform of a node, set by the kubelet. */
export interface NodeSystemInfo {
  /** Identifier of the operating system installation, such as the content of `/etc/machine-id`. */
  machineID: string;
  /** UUID of the hardware or virtual machine, from its firmware. */
  systemUUID: string;
  /** Identifier of the current boot. It changes whenever the node restarts. */
  bootID: string;
  /** Version of the kernel, such as `6.1.0-18-amd64` (`uname -r`). */
  kernelVersion: string;
  /** Name and version of the operating system, such as `Debian GNU/Linux 12`. */
  osImage: string;
  /** Name and version of the container runtime, such as `containerd://1.7.27`. */
  containerRuntimeVersion: string;
  /** Version of the kubelet, such as `v1.33.1`. */
  kubeletVersion: string;
  /**
   * Formerly the version of kube-proxy. The kubelet did not know it and reported its own version; it is empty by
   * default since v1.33.
   */
  kubeProxyVersion: string & Deprecated;
  /** Operating system of the node: `linux` or `windows`. */
  operatingSystem: string;
  /** Processor architecture of the node, such as `amd64` or `arm64`. */
  architecture: string;
  /** Swap memory of the node. Unset if the kubelet does not report it. */
  swap?: NodeSwapStatus & Since<"1.33">;
}

/** Swap memory of a node. */
export interface NodeSwapStatus {
  /** Total amount of swap memory in bytes. Must be greater than 0. */
  capacity?: Int64;
}

/** A container image that is present on a node. */
export interface ContainerImage {
  /**
   * References by which the image is known, with tag or digest, such as `registry.example.com/app:v1`. The kubelet
   * reports at most five.
   */
  names?: ListAtomic<string> & Always;
  /** Size of the image on the node, in bytes. */
  sizeBytes?: Int64 & OmitZero;
}

/** A volume that is attached to a node. */
export interface AttachedVolume {
  /** Unique name of the volume, which contains the plugin or driver. */
  name: string;
  /** Path of the volume's device on the node. May be empty if the driver does not report it. */
  devicePath: string;
}

/** Configuration that a kubelet uses, for the removed feature of dynamic kubelet configuration. */
export interface NodeConfigStatus {
  /** Configuration that the kubelet tries to use. */
  assigned?: NodeConfigSource;
  /** Configuration that the kubelet is running with. */
  active?: NodeConfigSource;
  /** Configuration that the kubelet falls back to if the assigned one fails. */
  lastKnownGood?: NodeConfigSource;
  /** Human-readable reason why the assigned configuration cannot be used. Empty if there is none. */
  error?: string & OmitZero;
}

/** A handler of the node's container runtime, and the features it supports. */
export interface NodeRuntimeHandler {
  /** Name of the handler, as RuntimeClasses refer to it. Empty for the default handler. */
  name?: string & Always;
  /** Features that the handler supports. */
  features?: NodeRuntimeHandlerFeatures;
}

/** Features of a handler of the node's container runtime. */
export interface NodeRuntimeHandlerFeatures {
  /** Whether the handler can mount volumes recursively read-only, which `recursiveReadOnly` of volume mounts needs. */
  recursiveReadOnlyMounts?: boolean;
  /** Whether the handler can run pods in their own user namespace, which `hostUsers: false` of pods needs. */
  userNamespaces?: boolean;
}

/** Features of the node's container runtime that do not depend on the handler. */
export interface NodeFeatures {
  /** Whether the runtime supports `supplementalGroupsPolicy` and reports the users of containers. */
  supplementalGroupsPolicy?: boolean;
}

/** Query parameters of a request that the API server proxies to the kubelet of a node. */
export interface NodeProxyOptions extends TypeMeta {
  /** Path of the proxied request at the kubelet. Usually given as the part of the URL after `/proxy` instead. */
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
    {
      name: "Status",
      type: "string",
      description: "`Ready`, `NotReady` or `Unknown` from the `Ready` condition, and whether scheduling is disabled.",
    },
    { name: "Roles", type: "string", description: "Roles of the node, from its `node-role.kubernetes.io/` labels." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
    { name: "Version", type: "string", description: "Version of the kubelet." },
    { name: "Internal-IP", type: "string", priority: 1, description: "First internal IP address of the node." },
    { name: "External-IP", type: "string", priority: 1, description: "First external IP address of the node." },
    { name: "OS-Image", type: "string", priority: 1, description: "Name and version of the operating system." },
    { name: "Kernel-Version", type: "string", priority: 1, description: "Version of the kernel." },
    {
      name: "Container-Runtime",
      type: "string",
      priority: 1,
      description: "Name and version of the container runtime.",
    },
  ],
});

export const nodeProxyOptions = kind<NodeProxyOptions>({ unserved: true, introduced: "1.2" });
