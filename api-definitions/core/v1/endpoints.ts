import type { Namespaced } from "../../meta/v1/type-meta.ts";
import {
  type AtomicStruct,
  type Default,
  type Int32,
  kind,
  type ListAtomic,
  type OmitZero,
  type Since,
} from "../../vocabulary.ts";
import type { Protocol } from "./container.ts";
import type { ObjectReference } from "./references.ts";

/**
 * All addresses behind a Service in one object. The endpoints controller maintains it for Services with a selector, and
 * lists at most 1000 addresses. Use EndpointSlice in new code: it is not limited in size and has zones, hints and both
 * IP families.
 */
export interface Endpoints extends Namespaced {
  /** Groups of addresses that share the same ports. An address behind different ports occurs in several groups. */
  subsets?: ListAtomic<EndpointSubset>;
}

/**
 * Addresses of an Endpoints object that share the same ports: every address is reachable at every port. At least one
 * address is required.
 */
export interface EndpointSubset {
  /** Addresses that are ready to receive traffic. */
  addresses?: ListAtomic<EndpointAddress>;
  /** Addresses that should not receive traffic yet, because their pods are starting or failing readiness checks. */
  notReadyAddresses?: ListAtomic<EndpointAddress>;
  /** Ports at which all addresses of the group are reachable. With several ports each needs a `name`. */
  ports?: ListAtomic<EndpointPort>;
}

/** One address of an Endpoints object, usually of a pod. */
export interface EndpointAddress extends AtomicStruct {
  /**
   * IP address of the endpoint. Unspecified, loopback, link-local and link-local multicast addresses are not allowed.
   */
  ip: string;
  /** Host name of the endpoint, under which DNS publishes it below the name of the Service. Must be a DNS label. */
  hostname?: string & OmitZero;
  /** Name of the Node that the endpoint runs on. Unset if it is not in the cluster. */
  nodeName?: string;
  /** Object behind the address, usually a Pod. */
  targetRef?: ObjectReference;
}

/** A port at which all addresses of the group are reachable. */
export interface EndpointPort extends AtomicStruct {
  /**
   * Name of the port, which equals `name` of the Service's port. Must be a DNS label. Required if there are several
   * ports.
   */
  name?: string & OmitZero;
  /** Port number of the endpoint, from 1 to 65535. */
  port: Int32;
  /** IP protocol of the port. */
  protocol?: Protocol & OmitZero & Default<"TCP">;
  /**
   * Application protocol of the port, as a hint to proxies: a standard name such as `http` or `https`, or a prefixed
   * one such as `kubernetes.io/h2c` or `example.com/custom`.
   */
  appProtocol?: string & Since<"1.18">;
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
    { name: "Endpoints", type: "string", description: "Addresses and ports; long lists are shortened." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
  ],
});
