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

export interface Ingress extends Namespaced {
  spec?: IngressSpec & Always;
  status?: IngressStatus & Always;
}

export interface IngressSpec {
  ingressClassName?: string;
  backend?: IngressBackend;
  tls?: ListAtomic<IngressTLS>;
  rules?: ListAtomic<IngressRule>;
}

export interface IngressBackend {
  serviceName?: string & OmitZero;
  servicePort?: IntOrString & Always;
  resource?: TypedLocalObjectReference;
}

export interface IngressTLS {
  hosts?: ListAtomic<string>;
  secretName?: string & OmitZero;
}

export interface IngressRule extends IngressRuleValue {
  host?: string & OmitZero;
}

export interface IngressRuleValue {
  http?: HTTPIngressRuleValue;
}

export interface HTTPIngressRuleValue {
  paths: ListAtomic<HTTPIngressPath>;
}

export interface HTTPIngressPath {
  path?: string & OmitZero;
  pathType?: PathType & Default<"ImplementationSpecific">;
  backend: IngressBackend;
}

export type PathType = Open<"Exact" | "Prefix" | "ImplementationSpecific">;

export interface IngressStatus {
  loadBalancer?: IngressLoadBalancerStatus & Always;
}

export interface IngressLoadBalancerStatus {
  ingress?: ListAtomic<IngressLoadBalancerIngress>;
}

export interface IngressLoadBalancerIngress {
  ip?: string & OmitZero;
  hostname?: string & OmitZero;
  ports?: ListAtomic<IngressPortStatus>;
}

export interface IngressPortStatus {
  port: Int32;
  protocol: Protocol;
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
    { name: "Name", type: "string", format: "name", path: ".metadata.name" },
    { name: "Class", type: "string" },
    { name: "Hosts", type: "string" },
    { name: "Address", type: "string" },
    { name: "Ports", type: "string" },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp" },
  ],
});
