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
} from "../../vocabulary.ts";

/** Some of the addresses behind a service. */
export interface EndpointSlice extends Namespaced {
  addressType: AddressType & Immutable;
  endpoints: ListAtomic<Endpoint>;
  ports?: ListAtomic<EndpointPort> & Always;
}

export type AddressType = Open<"IPv4" | "IPv6" | "FQDN">;

export interface Endpoint {
  addresses: ListSet<string>;
  conditions?: EndpointConditions & Always;
  hostname?: string;
  targetRef?: ObjectReference;
  topology?: Record<string, string> & Deprecated;
  nodeName?: string;
  hints?: EndpointHints & Gated<"TopologyAwareHints">;
}

export interface EndpointConditions {
  ready?: boolean;
  serving?: boolean;
  terminating?: boolean;
}

export interface EndpointHints {
  forZones?: ListAtomic<ForZone>;
  forNodes?: ListAtomic<ForNode>;
}

export interface ForZone {
  name: string;
}

export interface ForNode {
  name: string;
}

export interface EndpointPort {
  name?: string & Default<"">;
  protocol?: Protocol & Default<"TCP">;
  port?: Int32;
  appProtocol?: string;
}

export const endpointSlice = kind<EndpointSlice>({
  plural: "endpointslices",
  introduced: "1.16",
  deprecated: "1.21",
  removed: "1.25",
  replacement: "discovery.<domain>/v1 EndpointSlice",
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "AddressType", type: "string", path: ".addressType", description: "Type of the addresses." },
    { name: "Ports", type: "string", description: "Ports." },
    { name: "Endpoints", type: "string", description: "Addresses, as many as fit." },
    {
      name: "Age",
      type: "string",
      path: ".metadata.creationTimestamp",
      description: "How long ago the object was created.",
    },
  ],
});
