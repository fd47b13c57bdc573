import type { Namespaced } from "../../meta/v1/type-meta.ts";
import { type AtomicStruct, type Default, type Int32, kind, type ListAtomic, type OmitZero } from "../../vocabulary.ts";
import type { Protocol } from "./container.ts";
import type { ObjectReference } from "./references.ts";

/** The addresses behind a service, all in one object. */
export interface Endpoints extends Namespaced {
  /** Addresses grouped by the ports they share. */
  subsets?: ListAtomic<EndpointSubset>;
}

/** Addresses that share the same ports. */
export interface EndpointSubset {
  /** Addresses ready for traffic. */
  addresses?: ListAtomic<EndpointAddress>;
  /** Addresses not ready yet. */
  notReadyAddresses?: ListAtomic<EndpointAddress>;
  /** The ports they share. */
  ports?: ListAtomic<EndpointPort>;
}

/** An address behind a service. */
export interface EndpointAddress extends AtomicStruct {
  /** The address. */
  ip: string;
  /** Its host name. */
  hostname?: string & OmitZero;
  /** The node it is on. */
  nodeName?: string;
  /** The pod it belongs to. */
  targetRef?: ObjectReference;
}

/** A port behind a service. */
export interface EndpointPort extends AtomicStruct {
  /** Name of the port, as the service calls it. */
  name?: string & OmitZero;
  /** The port. */
  port: Int32;
  /** Protocol spoken on the port. */
  protocol?: Protocol & OmitZero & Default<"TCP">;
  /** Application protocol, as a hint to proxies. */
  appProtocol?: string;
}

export const endpoints = kind<Endpoints>({
  plural: "endpoints",
  shortNames: ["ep"],
  introduced: "1.0",
  deprecated: "1.33",
  replacement: "discovery.<domain>/v1 EndpointSlice",
  storedAs: "services/endpoints",
  createOnUpdate: true,
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "Endpoints", type: "string", description: "Addresses and ports, as many as fit." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
  ],
});
