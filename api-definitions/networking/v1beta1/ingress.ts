import type { Protocol } from "../../core/v1/container.ts";
import type { TypedLocalObjectReference } from "../../core/v1/references.ts";
import type { Namespaced } from "../../meta/v1/type-meta.ts";
import {
  type Always,
  type Default,
  type Int32,
  type IntOrString,
  kind,
  type ListAtomic,
  type OmitZero,
  type Open,
} from "../../vocabulary.ts";

/** Lets HTTP requests from outside in to services. */
export interface Ingress extends Namespaced {
  /** What is asked for. */
  spec?: IngressSpec & Always;
  /** What is the case, as last seen. */
  status?: IngressStatus & Always;
}

/** Which requests are let in, and where they go. */
export interface IngressSpec {
  /** Class that implements it. */
  ingressClassName?: string;
  /** Where requests go that no rule matches. */
  backend?: IngressBackend;
  /** Certificates, by host. */
  tls?: ListAtomic<IngressTLS>;
  /** Hosts and paths. */
  rules?: ListAtomic<IngressRule>;
}

/** Where requests go; a service or another object. */
export interface IngressBackend {
  /** Name of the service. */
  serviceName?: string & OmitZero;
  /** Port of the service. */
  servicePort?: IntOrString & Always;
  /** Another object of the namespace. */
  resource?: TypedLocalObjectReference;
}

/** A certificate and the hosts it is for. */
export interface IngressTLS {
  /** The hosts. */
  hosts?: ListAtomic<string>;
  /** Secret with the certificate and its key. */
  secretName?: string & OmitZero;
}

/** Where the requests for a host go. */
export interface IngressRule extends IngressRuleValue {
  /** The host; all hosts when empty. */
  host?: string & OmitZero;
}

/** How requests are told apart. */
export interface IngressRuleValue {
  // By path. A plain comment, so that it is published as a bare reference, as Kubernetes does.
  http?: HTTPIngressRuleValue;
}

/** Paths of a host. */
export interface HTTPIngressRuleValue {
  /** The paths. */
  paths: ListAtomic<HTTPIngressPath>;
}

/** A path and where its requests go. */
export interface HTTPIngressPath {
  /** The path. */
  path?: string & OmitZero;
  /** How the path is compared. */
  pathType?: PathType & Default<"ImplementationSpecific">;
  /** Where requests go. */
  backend: IngressBackend;
}

export type PathType = Open<"Exact" | "Prefix" | "ImplementationSpecific">;

/** What came of an ingress. */
export interface IngressStatus {
  /** What is known of its load balancer. */
  loadBalancer?: IngressLoadBalancerStatus & Always;
}

/** What is known of the load balancer. */
export interface IngressLoadBalancerStatus {
  /** The ways in. */
  ingress?: ListAtomic<IngressLoadBalancerIngress>;
}

/** A way in through the load balancer. */
export interface IngressLoadBalancerIngress {
  /** Its address. */
  ip?: string & OmitZero;
  /** Its host name. */
  hostname?: string & OmitZero;
  /** What is known of its ports. */
  ports?: ListAtomic<IngressPortStatus>;
}

/** What is known of a port of a load balancer. */
export interface IngressPortStatus {
  /** The port. */
  port: Int32;
  /** Protocol spoken on it. */
  protocol: Protocol;
  /** Why it does not work. */
  error?: string;
}

export const ingress = kind<Ingress>({
  plural: "ingresses",
  shortNames: ["ing"],
  introduced: "1.14",
  deprecated: "1.19",
  removed: "1.22",
  replacement: "networking.<domain>/v1 Ingress",
  storedAs: "ingress",
  subresources: { status: true },
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "Class", type: "string", description: "Class that implements it." },
    { name: "Hosts", type: "string", description: "Hosts it is for." },
    { name: "Address", type: "string", description: "Where it is reached." },
    { name: "Ports", type: "string", description: "Ports." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
  ],
});
