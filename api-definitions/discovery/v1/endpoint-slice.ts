import type { Protocol } from "../../core/v1/container.ts";
import type { ObjectReference } from "../../core/v1/references.ts";
import type { Namespaced } from "../../meta/v1/type-meta.ts";
import {
  type Always,
  type AtomicStruct,
  type Default,
  type Deprecated,
  type Immutable,
  type Int32,
  kind,
  type ListAtomic,
  type ListSet,
} from "../../vocabulary.ts";

/** Some of the addresses behind a service. */
export interface EndpointSlice extends Namespaced {
  addressType: AddressType & Immutable;
  endpoints: ListAtomic<Endpoint>;
  ports?: ListAtomic<EndpointPort> & Always;
}

export type AddressType = "IPv4" | "IPv6" | "FQDN";

export interface Endpoint {
  addresses: ListSet<string>;
  conditions?: EndpointConditions & Always;
  hostname?: string;
  targetRef?: ObjectReference;
  deprecatedTopology?: Record<string, string> & Deprecated;
  nodeName?: string;
  zone?: string;
  hints?: EndpointHints;
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

export interface EndpointPort extends AtomicStruct {
  name?: string & Default<"">;
  protocol?: Protocol & Default<"TCP">;
  port?: Int32;
  appProtocol?: string;
}

export const endpointSlice = kind<EndpointSlice>({
  plural: "endpointslices",
  introduced: "1.21",
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
