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
  type Since,
} from "../../vocabulary.ts";

/**
 * Routes HTTP and HTTPS requests from outside the cluster to Services, by host name and path, and terminates TLS. It
 * has an effect only if an ingress controller for its class runs in the cluster. For other protocols use a Service of
 * type `LoadBalancer` or `NodePort`.
 */
export interface Ingress extends Namespaced {
  /** Desired state of the Ingress. */
  spec?: IngressSpec & Always;
  /** Observed state of the Ingress, set by the ingress controller: addresses at which it is reachable. */
  status?: IngressStatus & Always;
}

/** Which requests are routed to which backends. At least one of `rules` and `backend` must be set. */
export interface IngressSpec {
  /**
   * Name of the IngressClass whose controller implements this Ingress. If unset, the default IngressClass is set on
   * creation if there is one; otherwise it depends on the controllers whether one of them serves the Ingress. Must be
   * equal to the older annotation `kubernetes.io/ingress.class` if both are set on creation.
   */
  ingressClassName?: string & Since<"1.18">;
  /**
   * Backend for requests that match none of `rules`. If unset, the ingress controller decides what to respond to them.
   * Required if there are no rules.
   */
  backend?: IngressBackend;
  /**
   * Certificates for HTTPS on port 443. If several entries are given, the controller chooses one by the host name that
   * the client sends (SNI). If empty, only HTTP on port 80 is served.
   */
  tls?: ListAtomic<IngressTLS>;
  /**
   * Hosts and paths with their backends. Requests that match none of them go to `backend`; without rules all requests
   * do.
   */
  rules?: ListAtomic<IngressRule>;
}

/** Destination of requests: either a port of a Service, or another object. */
export interface IngressBackend {
  /**
   * Name of the Service that receives the requests, in the namespace of the Ingress. Must not be set together with
   * `resource`.
   */
  serviceName?: string & OmitZero;
  /** Port of the Service, by number or name. Required with `serviceName`. */
  servicePort?: IntOrString & Always;
  /**
   * Object that receives the requests, such as a storage bucket, in the namespace of the Ingress. Which kinds are
   * supported depends on the ingress controller. Must not be set together with `serviceName` and `servicePort`.
   */
  resource?: TypedLocalObjectReference & Since<"1.18">;
}

/** A certificate, and the host names that it is used for. */
export interface IngressTLS {
  /**
   * Host names that the certificate is used for; they must be in the certificate. A name may begin with `*.` as a
   * wildcard for one label. If empty, the ingress controller decides, usually for all hosts of the Ingress.
   */
  hosts?: ListAtomic<string>;
  /**
   * Name of the Secret with the certificate (`tls.crt`) and its private key (`tls.key`), in the namespace of the
   * Ingress. If unset, the ingress controller uses its default certificate or passes TLS through, by host name.
   */
  secretName?: string & OmitZero;
}

/** Backends for the requests to one host. If `http` is unset, all requests to the host go to the default backend. */
export interface IngressRule extends IngressRuleValue {
  /**
   * Host name that requests must have, as a DNS name without port, such as `www.example.com`; IP addresses are not
   * allowed. `*.example.com` matches names with exactly one more label, such as `a.example.com`. If empty, the rule
   * applies to all hosts.
   */
  host?: string & OmitZero;
}

/** How the requests to a host are distributed. Only HTTP is supported. */
export interface IngressRuleValue {
  // Backends by path. A plain comment, so that OpenAPI has a bare reference without a description, as in Kubernetes.
  http?: HTTPIngressRuleValue;
}

/** Paths of a host, and the backends that receive the requests for them. */
export interface HTTPIngressRuleValue {
  /**
   * Paths and their backends. The longest path that matches a request applies, and an `Exact` one before a `Prefix` one
   * of the same length. Must have at least one entry.
   */
  paths: ListAtomic<HTTPIngressPath>;
}

/** A path, and the backend that receives the requests for it. */
export interface HTTPIngressPath {
  /**
   * Path that is compared with the path of requests. Must begin with `/`. For the path types `Exact` and `Prefix` it
   * must not contain `//`, `/./`, `/../` or `%2f`, nor end with `/.` or `/..`; only for `ImplementationSpecific` it may
   * be empty, which matches all paths.
   */
  path?: string & OmitZero;
  /** How `path` is compared with the path of a request. */
  pathType?: PathType & Default<"ImplementationSpecific"> & Since<"1.18">;
  /** Destination of the requests that match the path. */
  backend: IngressBackend;
}

export type PathType = Open<
  /** The path of the request must be equal to `path`, including case. */
  | "Exact"
  /**
   * `path` must be a prefix of the path of the request, compared element by element: `/a/b` matches `/a/b` and
   * `/a/b/c`, not `/a/bc`.
   */
  | "Prefix"
  /** The ingress controller decides how to compare, for example by regular expression. */
  | "ImplementationSpecific"
>;

/** Observed state of an Ingress: addresses at which it is reachable. */
export interface IngressStatus {
  /** Observed state of the load balancer that serves the Ingress, set by the ingress controller. */
  loadBalancer?: IngressLoadBalancerStatus & Always;
}

/** Observed addresses of the load balancer that serves an Ingress. */
export interface IngressLoadBalancerStatus {
  /** Addresses at which the Ingress is reachable. Empty until the load balancer is ready. */
  ingress?: ListAtomic<IngressLoadBalancerIngress>;
}

/** An address of the load balancer that serves an Ingress. */
export interface IngressLoadBalancerIngress {
  /** IP address of the load balancer. Set for load balancers that are reached by address. */
  ip?: string & OmitZero;
  /** DNS name of the load balancer. Set for load balancers that are reached by name. IP addresses are not allowed. */
  hostname?: string & OmitZero;
  /** Observed state of the ports of the load balancer, one entry for each port. */
  ports?: ListAtomic<IngressPortStatus>;
}

/** Observed state of one port of the load balancer. */
export interface IngressPortStatus {
  /** Number of the port. */
  port: Int32;
  /** Protocol that the load balancer serves on the port. */
  protocol: Protocol;
  /**
   * Reason why the port cannot be served: in CamelCase, with a domain prefix such as `example.com/PortInUse` if
   * specific to a provider. Unset if it works.
   */
  error?: string;
}

export const ingress = kind<Ingress>({
  plural: "ingresses",
  shortNames: ["ing"],
  introduced: "1.1",
  deprecated: "1.14",
  removed: "1.22",
  replacement: "networking.<domain>/v1 Ingress",
  storedIn: "networking.<domain>",
  subresources: { status: true },
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "Class", type: "string", description: "IngressClass of the Ingress." },
    { name: "Hosts", type: "string", description: "Host names of the rules." },
    { name: "Address", type: "string", description: "Addresses at which the Ingress is reachable." },
    { name: "Ports", type: "string", description: "Ports on which the Ingress listens." },
    {
      name: "Age",
      type: "string",
      path: ".metadata.creationTimestamp",
      description: "Time since the object was created.",
    },
  ],
});
