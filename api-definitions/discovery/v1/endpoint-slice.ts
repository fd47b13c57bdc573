import type { Protocol } from "../../core/v1/container.ts";
import type { ObjectReference } from "../../core/v1/references.ts";
import type { Namespaced } from "../../meta/v1/type-meta.ts";
import {
  type Always,
  type AtomicStruct,
  type Default,
  type Deprecated,
  type Gated,
  type Immutable,
  type Int32,
  kind,
  type ListAtomic,
  type ListSet,
} from "../../vocabulary.ts";

/** Some of the addresses behind a service. */
export interface EndpointSlice extends Namespaced {
  /** What sort of addresses they are; fixed for good. */
  addressType: AddressType & Immutable;
  /** The addresses. */
  endpoints: ListAtomic<Endpoint>;
  /** Ports all of them share. */
  ports?: ListAtomic<EndpointPort> & Always;
}

export type AddressType = "IPv4" | "IPv6" | "FQDN";

/** Something behind a service. */
export interface Endpoint {
  /** Its addresses, which all lead to the same place. */
  addresses: ListSet<string>;
  /** Whether it is ready. */
  conditions?: EndpointConditions & Always;
  /** Its host name. */
  hostname?: string;
  /** The pod it belongs to. */
  targetRef?: ObjectReference;
  /** Where it is, as older versions said it. */
  deprecatedTopology?: Record<string, string> & Deprecated;
  /** The node it is on. */
  nodeName?: string;
  /** The zone it is in. */
  zone?: string;
  /** Who should use it. */
  hints?: EndpointHints;
}

/** Whether something behind a service is ready. */
export interface EndpointConditions {
  /** Whether it takes traffic. */
  ready?: boolean;
  /** Whether it could take traffic, even while it stops. */
  serving?: boolean;
  /** Whether it is stopping. */
  terminating?: boolean;
}

/** Who should use an address. */
export interface EndpointHints {
  /** Clients in these zones. */
  forZones?: ListAtomic<ForZone>;
  /** Clients on these nodes. */
  forNodes?: ListAtomic<ForNode> & Gated<"PreferSameTrafficDistribution">;
}

/** A zone. */
export interface ForZone {
  /** Its name. */
  name: string;
}

/** A node. */
export interface ForNode {
  /** Its name. */
  name: string;
}

/** A port behind a service. */
export interface EndpointPort extends AtomicStruct {
  /** Name of the port, as the service calls it. */
  name?: string & Default<"">;
  /** Protocol spoken on the port. */
  protocol?: Protocol & Default<"TCP">;
  /** The port. */
  port?: Int32;
  /** Application protocol, as a hint to proxies. */
  appProtocol?: string;
}

export const endpointSlice = kind<EndpointSlice>({
  plural: "endpointslices",
  generation: true,
  introduced: "1.21",
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "AddressType", type: "string", path: ".addressType", description: "Type of the addresses." },
    { name: "Ports", type: "string", description: "Ports." },
    { name: "Endpoints", type: "string", description: "Addresses, as many as fit." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
  ],
});
