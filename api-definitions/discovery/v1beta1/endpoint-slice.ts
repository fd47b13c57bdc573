import type { Protocol } from "../../core/v1/container.ts";
import type { ObjectReference } from "../../core/v1/references.ts";
import type { Namespaced } from "../../meta/v1/type-meta.ts";
import {
  type Always,
  type Default,
  type Deprecated,
  type Gated,
  type Immutable,
  type Int32,
  kind,
  type ListAtomic,
  type ListSet,
  type Open,
  type Since,
} from "../../vocabulary.ts";

/**
 * Some of the endpoints behind a Service, all of one address type and with the same ports. The endpoint slice
 * controller creates them for Services with a selector; create them yourself for others. The label
 * `kubernetes.io/service-name` names the Service; a Service may have many slices.
 */
export interface EndpointSlice extends Namespaced {
  /** Type of all addresses in the slice. */
  addressType: AddressType & Immutable;
  /** Endpoints of the slice, at most 1000. The endpoint slice controller adds at most 100 to a slice by default. */
  endpoints: ListAtomic<Endpoint>;
  /**
   * Ports at which all endpoints of the slice are reachable, each with a different name. At most 20000. Empty means
   * that no ports are defined.
   */
  ports?: ListAtomic<EndpointPort> & Always;
}

export type AddressType = Open<
  /** IPv4 addresses. */
  | "IPv4"
  /** IPv6 addresses. */
  | "IPv6"
  /** DNS names. Deprecated, and ignored by kube-proxy. */
  | "FQDN"
>;

/** One endpoint behind a Service, usually a pod. */
export interface Endpoint {
  /**
   * Addresses of the endpoint, of the type that `addressType` names: from 1 to 100. They are interchangeable, and
   * clients may use the first only.
   */
  addresses: ListSet<string>;
  /** Observed conditions of the endpoint: whether it can receive traffic. */
  conditions?: EndpointConditions & Always;
  /** Host name of the endpoint, under which DNS publishes it below the name of the Service. Must be a DNS label. */
  hostname?: string;
  /** Object behind the endpoint, usually a Pod. */
  targetRef?: ObjectReference;
  /**
   * Topology labels of the endpoint, at most 16, such as `topology.kubernetes.io/zone` and `kubernetes.io/hostname`.
   * The server adds the latter from `nodeName`.
   */
  topology?: Record<string, string> & Deprecated<"use `nodeName` and, in v1, `zone` instead">;
  /**
   * Name of the Node that the endpoint runs on. Unset if it is not in the cluster. It tells which endpoints are local
   * to a node.
   */
  nodeName?: string & Since<"1.20">;
  /**
   * Hints which clients should use this endpoint, set by the endpoint slice controller if traffic distribution or
   * topology aware routing is enabled.
   */
  hints?: EndpointHints & Gated<"TopologyAwareHints">;
}

/** Observed state of an endpoint, set by the endpoint slice controller. */
export interface EndpointConditions {
  /**
   * Whether the endpoint should receive traffic: it is serving and not terminating. Always `true` for Services with
   * `publishNotReadyAddresses`. Unset means unknown, and clients should treat that as `true`.
   */
  ready?: boolean;
  /**
   * Whether the endpoint can respond: the same as `ready`, but also `true` while the pod terminates as long as it is
   * ready. Unset means unknown, and clients should use `ready` instead.
   */
  serving?: boolean & Since<"1.20">;
  /** Whether the endpoint is terminating. Unset means unknown, and clients should treat that as `false`. */
  terminating?: boolean & Since<"1.20">;
}

/** Hints which clients should use an endpoint, to keep traffic close. */
export interface EndpointHints {
  /** Zones whose clients should use the endpoint. At most 8, each once. */
  forZones?: ListAtomic<ForZone>;
  /** Nodes whose clients should use the endpoint. At most 8, each once. */
  forNodes?: ListAtomic<ForNode> & Since<"1.33">;
}

/** A zone whose clients should use an endpoint. */
export interface ForZone {
  /** Name of the zone, as in the node label `topology.kubernetes.io/zone`. */
  name: string;
}

/** A node whose clients should use an endpoint. */
export interface ForNode {
  /** Name of the Node. Must be a DNS subdomain. */
  name: string;
}

/** A port at which all endpoints of a slice are reachable. */
export interface EndpointPort {
  /** Name of the port, unique in the slice, which equals `name` of the Service's port. Empty or a DNS label. */
  name?: string & Default<"">;
  /** IP protocol of the port. */
  protocol?: Protocol & Default<"TCP">;
  /** Port number of the endpoints. Unset means all ports, if the consumer supports that. */
  port?: Int32;
  /**
   * Application protocol of the port, as a hint to proxies: a standard name such as `http` or `https`, or a prefixed
   * one such as `kubernetes.io/h2c` or `example.com/custom`.
   */
  appProtocol?: string;
}

export const endpointSlice = kind<EndpointSlice>({
  plural: "endpointslices",
  generation: true,
  introduced: "1.16",
  deprecated: "1.21",
  removed: "1.25",
  replacement: "discovery.<domain>/v1 EndpointSlice",
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "AddressType", type: "string", path: ".addressType", description: "Type of the addresses." },
    { name: "Ports", type: "string", description: "Port numbers; long lists are shortened." },
    { name: "Endpoints", type: "string", description: "Addresses; long lists are shortened." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
  ],
});
