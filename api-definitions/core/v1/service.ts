import type { Condition } from "../../meta/v1/condition.ts";
import type { Namespaced, TypeMeta } from "../../meta/v1/type-meta.ts";
import {
  type Always,
  type Default,
  type Deprecated,
  type Gated,
  type Int32,
  type IntOrString,
  kind,
  type ListAtomic,
  type ListMap,
  type MapAtomic,
  type OmitZero,
  type Open,
  type PatchMerge,
  type Published,
} from "../../vocabulary.ts";
import type { Protocol } from "./container.ts";

/** A lasting address for a changing set of pods. */
export interface Service extends Namespaced {
  /** What is asked for. */
  spec?: ServiceSpec & Always;
  /** What is the case, as last seen. */
  status?: ServiceStatus & Always;
}

/** How a service is reached, and which pods serve it. */
export interface ServiceSpec {
  /** The ports. */
  ports?: ListMap<ServicePort, "port", "protocol"> & PatchMerge<"port">;
  /** Labels of the pods that serve it. */
  selector?: MapAtomic<string>;
  /** Address inside the cluster; `None` for a service without one. */
  clusterIP?: string & OmitZero;
  /** Addresses inside the cluster, at most one per family. */
  clusterIPs?: ListAtomic<string>;
  /** How it is exposed. */
  type?: ServiceType & OmitZero & Default<"ClusterIP">;
  /** Addresses whose traffic nodes take for the service. */
  externalIPs?: ListAtomic<string>;
  /** `ClientIP` keeps a client on one pod. */
  sessionAffinity?: ServiceAffinity & OmitZero & Default<"None">;
  /** Address wished for from the load balancer. */
  loadBalancerIP?: string & OmitZero & Deprecated;
  /** Clients the load balancer lets in. */
  loadBalancerSourceRanges?: ListAtomic<string>;
  /** Host name the service is an alias of. */
  externalName?: string & OmitZero;
  /** Whether traffic from outside may hop to pods on other nodes. */
  externalTrafficPolicy?: ServiceExternalTrafficPolicy & OmitZero;
  /** Port on every node where its health can be asked. */
  healthCheckNodePort?: Int32 & OmitZero;
  /** Publishes pods that are not ready too. */
  publishNotReadyAddresses?: boolean & OmitZero;
  /** How clients are kept on one pod. */
  sessionAffinityConfig?: SessionAffinityConfig;
  /** Families of addresses it has. */
  ipFamilies?: ListAtomic<IPFamily>;
  /** Whether it has one family or both. */
  ipFamilyPolicy?: IPFamilyPolicy;
  /** Whether node ports are given out for a load balancer. */
  allocateLoadBalancerNodePorts?: boolean;
  /** Which implementation of load balancers serves it. */
  loadBalancerClass?: string;
  /** Whether traffic from inside stays on its node. */
  internalTrafficPolicy?: ServiceInternalTrafficPolicy;
  /** Which pods are preferred, such as those close to the client. */
  trafficDistribution?: string & Gated<"ServiceTrafficDistribution">;
}

export type ServiceType = "ClusterIP" | "NodePort" | "LoadBalancer" | "ExternalName";

export type ServiceAffinity = "ClientIP" | "None";

export type ServiceExternalTrafficPolicy = "Cluster" | "Local";

export type IPFamily = "IPv4" | "IPv6" | "";

export type IPFamilyPolicy = "SingleStack" | "PreferDualStack" | "RequireDualStack";

export type ServiceInternalTrafficPolicy = "Cluster" | "Local";

/** A port of a service. */
export interface ServicePort {
  /** Name of the port, unique in the service. */
  name?: string & OmitZero;
  /** Protocol spoken on the port. */
  protocol?: Protocol & OmitZero & Default<"TCP"> & Published;
  /** Application protocol, as a hint to proxies. */
  appProtocol?: string;
  /** The port of the service. */
  port: Int32;
  /** Port of the pods, by number or name; the same port unless said. */
  targetPort?: IntOrString & Always;
  /** Port on every node that leads here. */
  nodePort?: Int32 & OmitZero;
}

/** How clients are kept on one pod. */
export interface SessionAffinityConfig {
  /** By their address. */
  clientIP?: ClientIPConfig;
}

/** How clients are kept on one pod by their address. */
export interface ClientIPConfig {
  /** Seconds a client stays on its pod without traffic. */
  timeoutSeconds?: Int32;
}

/** What came of a service. */
export interface ServiceStatus {
  /** What is known of its load balancer. */
  loadBalancer?: LoadBalancerStatus & Always;
  /** Findings about the service. */
  conditions?: ListMap<Condition, "type"> & PatchMerge<"type">;
}

/** What is known of the load balancer. */
export interface LoadBalancerStatus {
  /** The ways in. */
  ingress?: ListAtomic<LoadBalancerIngress>;
}

/** A way in through the load balancer. */
export interface LoadBalancerIngress {
  /** Its address. */
  ip?: string & OmitZero;
  /** Its host name. */
  hostname?: string & OmitZero;
  /** Whether traffic arrives with the balancer's address or the node's. */
  ipMode?: LoadBalancerIPMode;
  /** What is known of its ports. */
  ports?: ListAtomic<PortStatus>;
}

export type LoadBalancerIPMode = Open<"VIP" | "Proxy">;

/** What is known of a port of a load balancer. */
export interface PortStatus {
  /** The port. */
  port: Int32;
  /** Protocol spoken on it. */
  protocol: Protocol;
  /** Why it does not work. */
  error?: string;
}

/** Query parameters of a request passed on to a service. */
export interface ServiceProxyOptions extends TypeMeta {
  /** Path to ask the service for. */
  path?: string & OmitZero;
}

export const service = kind<Service>({
  plural: "services",
  generation: false,
  shortNames: ["svc"],
  categories: ["all"],
  introduced: "1.0",
  storedAs: "services/specs",
  createOnUpdate: true,
  returnsDeleted: true,
  subresources: {
    proxy: {
      kind: "ServiceProxyOptions",
      verbs: ["create", "delete", "get", "patch", "update"],
      connect: {
        methods: ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"],
        options: "ServiceProxyOptions",
        path: true,
      },
    },
    status: true,
  },
  selectableFields: ["spec.clusterIP", "spec.type"],
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "Type", type: "string", path: ".spec.type", description: "Type of the object." },
    { name: "Cluster-IP", type: "string", description: "Address inside the cluster." },
    { name: "External-IP", type: "string", description: "Address outside the cluster." },
    { name: "Port(s)", type: "string", description: "Ports and node ports." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
    { name: "Selector", type: "string", priority: 1, description: "Labels of the pods." },
  ],
});

export const serviceProxyOptions = kind<ServiceProxyOptions>({ unserved: true, introduced: "1.2" });
