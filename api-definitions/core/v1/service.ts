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
  type Since,
} from "../../vocabulary.ts";
import type { Protocol } from "./container.ts";

/**
 * A stable address and name for a set of pods. Cluster components send its traffic to the pods that match
 * `spec.selector`, or to addresses that you list in EndpointSlices. Use it whenever clients should not depend on the
 * addresses of single pods.
 */
export interface Service extends Namespaced {
  /** Desired state of the Service. */
  spec?: ServiceSpec & Always;
  /**
   * Observed state of the Service, set by the load balancer implementation: addresses of the load balancer, and
   * conditions.
   */
  status?: ServiceStatus & Always;
}

/** How a Service is reached, and which pods receive its traffic. */
export interface ServiceSpec {
  /**
   * Ports of the Service. Required, except for headless Services and type `ExternalName`. No two entries may have the
   * same `port` and `protocol`; with several entries each needs a `name`.
   */
  ports?: ListMap<ServicePort, "port", "protocol"> & PatchMerge<"port">;
  /**
   * Labels of the pods that receive the traffic; a pod must have all of them. If empty, no EndpointSlices are created
   * and you manage them yourself. Ignored for type `ExternalName`.
   */
  selector?: MapAtomic<string>;
  /**
   * Virtual IP address of the Service inside the cluster. Allocated by the server if empty; may be chosen from the
   * service address range on creation. `None` makes the Service headless: DNS returns the addresses of the pods, and
   * there is no virtual IP address. Not allowed to be `None` for types `NodePort` and `LoadBalancer`, and must be empty
   * for `ExternalName`. Cannot be changed, except when the type changes from or to `ExternalName`. Always equals the
   * first entry of `clusterIPs`.
   */
  clusterIP?: string & OmitZero;
  /**
   * Virtual IP addresses of the Service inside the cluster, at most one of IPv4 and one of IPv6, in the order of
   * `ipFamilies`. Allocated by the server according to `ipFamilies` and `ipFamilyPolicy` if empty. The first entry
   * equals `clusterIP` and cannot be changed; the second may be added or removed by changing `ipFamilyPolicy`.
   * `["None"]` makes the Service headless.
   */
  clusterIPs?: ListAtomic<string> & Since<"1.20">;
  /** How the Service is exposed. */
  type?: ServiceType & OmitZero & Default<"ClusterIP">;
  /**
   * Additional IP addresses for which nodes accept traffic of the Service, on its ports. Routing them to the nodes is
   * up to you. Unspecified, loopback, link-local and link-local multicast addresses are not allowed, and an admission
   * plugin (`DenyServiceExternalIPs`) can forbid the field. Ignored for type `ExternalName`.
   */
  externalIPs?: ListAtomic<string>;
  /** Whether connections of one client are sent to the same pod. */
  sessionAffinity?: ServiceAffinity & OmitZero & Default<"None">;
  /** IP address that the load balancer should use, for type `LoadBalancer`. Many implementations ignore it. */
  loadBalancerIP?: string & OmitZero & Deprecated<"use the annotations of the load balancer implementation instead">;
  /**
   * Client address ranges, in CIDR notation, from which the load balancer accepts traffic. Allowed for type
   * `LoadBalancer` only. If empty, all clients are accepted. Has no effect if the implementation does not support it.
   */
  loadBalancerSourceRanges?: ListAtomic<string>;
  /**
   * DNS name that the Service is an alias of; DNS answers with a CNAME record. Required for type `ExternalName`, and
   * ignored with a warning for other types. Must be a lower-case DNS name; a trailing dot is allowed.
   */
  externalName?: string & OmitZero;
  /**
   * How nodes route traffic that arrives at node ports, external IPs or the load balancer. Allowed for types `NodePort`
   * and `LoadBalancer`, and for `ClusterIP` with `externalIPs`; defaults to `Cluster` for these.
   */
  externalTrafficPolicy?: ServiceExternalTrafficPolicy & OmitZero;
  /**
   * Node port at which load balancers check whether a node has ready pods of the Service. Used for type `LoadBalancer`
   * with `externalTrafficPolicy: Local` only, and not allowed otherwise. Allocated by the server if unset. Cannot be
   * changed while it is in use.
   */
  healthCheckNodePort?: Int32 & OmitZero;
  /**
   * Whether pods that are not ready are published as ready in EndpointSlices and DNS. Use it for headless Services
   * whose pods must find each other before they are ready, such as those of a StatefulSet. Unset means `false`.
   */
  publishNotReadyAddresses?: boolean & OmitZero;
  /**
   * Settings of the session affinity. Allowed for `sessionAffinity: ClientIP` only; the server removes it for `None`.
   */
  sessionAffinityConfig?: SessionAffinityConfig;
  /**
   * IP families of the Service, in order of preference: `IPv4`, `IPv6` or both. Defaults to the first family of the
   * cluster, and to both families if `ipFamilyPolicy` asks for them and the cluster has them. The first entry cannot be
   * changed; the second may be added, or removed together with `ipFamilyPolicy: SingleStack`. Not allowed for type
   * `ExternalName`.
   */
  ipFamilies?: ListAtomic<IPFamily> & Since<"1.20">;
  /**
   * Whether the Service has addresses of one or of two IP families. Defaults to `SingleStack`, and to
   * `RequireDualStack` for headless Services without selector. Not allowed for type `ExternalName`.
   */
  ipFamilyPolicy?: IPFamilyPolicy & Since<"1.20">;
  /**
   * Whether the server allocates node ports for type `LoadBalancer`; not allowed for other types, and defaults to
   * `true`. Set it to `false` if the load balancer reaches pods without node ports. Ports with an explicit `nodePort`
   * get it anyway, and allocated ones are not released when it changes to `false`.
   */
  allocateLoadBalancerNodePorts?: boolean & Since<"1.20">;
  /**
   * Load balancer implementation for this Service, such as `example.com/internal-lb`. Allowed for type `LoadBalancer`
   * only, and can be set only when the Service is created with or changed to that type. If unset, the cluster's default
   * implementation, usually the cloud provider's, is used; it ignores Services that have a class.
   */
  loadBalancerClass?: string & Since<"1.21">;
  /**
   * How traffic from inside the cluster to the cluster IP is routed. Defaults to `Cluster`, except for type
   * `ExternalName`, which has none.
   */
  internalTrafficPolicy?: ServiceInternalTrafficPolicy & Since<"1.21">;
  /**
   * Preference for the endpoints that receive the traffic: `PreferClose` prefers endpoints in the client's zone.
   * `PreferSameZone` (the same) and `PreferSameNode` need the feature gate `PreferSameTrafficDistribution`. If unset,
   * all endpoints are used alike.
   */
  trafficDistribution?: string & Gated<"ServiceTrafficDistribution">;
}

export type ServiceType =
  /** Reachable inside the cluster, at the cluster IP. */
  | "ClusterIP"
  /** Like `ClusterIP`, and reachable at a port of every node. */
  | "NodePort"
  /** Like `NodePort`, and reachable through a load balancer outside the cluster. */
  | "LoadBalancer"
  /** Alias of the DNS name in `externalName`. Has no cluster IP and no endpoints. */
  | "ExternalName";

export type ServiceAffinity =
  /** Connections from the same client IP address go to the same pod. */
  | "ClientIP"
  /** Every connection may go to a different pod. */
  | "None";

export type ServiceExternalTrafficPolicy =
  /** Traffic may go to pods on any node. Spreads it evenly, but usually hides the client's IP address. */
  | "Cluster"
  /**
   * Traffic goes to pods on the receiving node only. Keeps the client's IP address; nodes without pods drop the
   * traffic.
   */
  | "Local";

export type IPFamily = "IPv4" | "IPv6" | "";

export type IPFamilyPolicy =
  /** Addresses of one IP family. */
  | "SingleStack"
  /** Addresses of both IP families if the cluster has both, of one otherwise. */
  | "PreferDualStack"
  /**
   * Addresses of both IP families. The request fails if the cluster has only one, except for headless Services without
   * selector.
   */
  | "RequireDualStack";

export type ServiceInternalTrafficPolicy =
  /** Traffic may go to pods on any node. */
  | "Cluster"
  /** Traffic goes to pods on the client's node only, and is dropped if there are none. */
  | "Local";

/** A port of a Service, and the pods' port that its traffic goes to. */
export interface ServicePort {
  /**
   * Name of the port, unique in the Service. Must be a DNS label. Required if the Service has several ports; it also
   * names the port in EndpointSlices and DNS SRV records.
   */
  name?: string & OmitZero;
  /** IP protocol of the port. */
  protocol?: Protocol & OmitZero & Default<"TCP"> & Published;
  /**
   * Application protocol of the port, as a hint to proxies and load balancers: a standard name such as `http` or
   * `https`, or a prefixed one such as `kubernetes.io/h2c` or `example.com/custom`.
   */
  appProtocol?: string & Since<"1.18">;
  /** Port number at which the Service is reached, from 1 to 65535. */
  port: Int32;
  /**
   * Port of the pods: a number from 1 to 65535, or the name of a container port, which may have another number in each
   * pod. Defaults to the value of `port`. Headless Services do no port translation, so there it should equal `port`.
   */
  targetPort?: IntOrString & Always;
  /**
   * Port of every node that leads to this port, for types `NodePort` and `LoadBalancer`. Allocated by the server if
   * unset; otherwise it must be free and in the server's range, 30000-32767 by default. Not allowed for type
   * `ClusterIP`.
   */
  nodePort?: Int32 & OmitZero;
}

/** Settings of a Service's session affinity. */
export interface SessionAffinityConfig {
  /** Settings of session affinity by client IP address. */
  clientIP?: ClientIPConfig;
}

/** Timeout of session affinity by client IP address. */
export interface ClientIPConfig {
  /**
   * Seconds without traffic after which a client may be sent to another pod, from 1 to 86400 (1 day). Defaults to 10800
   * (3 hours).
   */
  timeoutSeconds?: Int32;
}

/** Observed state of a Service. */
export interface ServiceStatus {
  /**
   * Observed state of the load balancer, set by its implementation. Empty until the load balancer is ready, and for
   * types other than `LoadBalancer`.
   */
  loadBalancer?: LoadBalancerStatus & Always;
  /** Observed conditions of the Service, set by the load balancer implementation and other controllers. */
  conditions?: ListMap<Condition, "type"> & PatchMerge<"type"> & Since<"1.20">;
}

/** Observed state of the load balancer of a Service. */
export interface LoadBalancerStatus {
  /** Points at which the load balancer accepts traffic for the Service. Allowed for type `LoadBalancer` only. */
  ingress?: ListAtomic<LoadBalancerIngress>;
}

/** A point at which a load balancer accepts traffic: an IP address or a host name. */
export interface LoadBalancerIngress {
  /** IP address of the load balancer. Set by implementations that assign IP addresses. */
  ip?: string & OmitZero;
  /** DNS name of the load balancer; IP addresses are not allowed. Set by implementations that assign names. */
  hostname?: string & OmitZero;
  /**
   * How the load balancer delivers traffic to nodes. Required if `ip` is set, and not allowed otherwise; the server
   * defaults it to `VIP`.
   */
  ipMode?: LoadBalancerIPMode & Since<"1.29">;
  /** Observed state of the ports of the Service at this load balancer. */
  ports?: ListAtomic<PortStatus> & Since<"1.20">;
}

export type LoadBalancerIPMode = Open<
  /**
   * Packets arrive at the node with the load balancer's address as destination. Traffic inside the cluster to that
   * address may go to the pods directly.
   */
  | "VIP"
  /**
   * Packets arrive with the address of a node or pod as destination. Traffic inside the cluster to the address goes
   * through the load balancer.
   */
  | "Proxy"
>;

/** Observed state of a port of a Service at its load balancer. */
export interface PortStatus {
  /** Port number of the Service that this entry is about. */
  port: Int32;
  /** Protocol of the port that this entry is about. */
  protocol: Protocol;
  /**
   * Reason why the port does not work, in CamelCase; reasons of an implementation have a prefix such as `example.com/`.
   * Unset if it works.
   */
  error?: string;
}

/** Query parameters of a request that the API server proxies to a Service. */
export interface ServiceProxyOptions extends TypeMeta {
  /** Path of the proxied request at the Service. Usually given as the part of the URL after `/proxy` instead. */
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
    { name: "Type", type: "string", path: ".spec.type", description: "How the Service is exposed." },
    { name: "Cluster-IP", type: "string", description: "IP address inside the cluster; `None` if headless." },
    { name: "External-IP", type: "string", description: "External or load balancer addresses, or the external name." },
    { name: "Port(s)", type: "string", description: "Ports, with node port and protocol." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
    { name: "Selector", type: "string", priority: 1, description: "Labels of the pods that receive the traffic." },
  ],
});

export const serviceProxyOptions = kind<ServiceProxyOptions>({ unserved: true, introduced: "1.2" });
