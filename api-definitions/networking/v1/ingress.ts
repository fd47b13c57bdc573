import type { Protocol } from "../../core/v1/container.ts";
import type { TypedLocalObjectReference } from "../../core/v1/references.ts";
import type { Namespaced } from "../../meta/v1/type-meta.ts";
import {
  type Always,
  type AtomicStruct,
  type Int32,
  kind,
  type ListAtomic,
  type Nullable,
  type OmitZero,
} from "../../vocabulary.ts";

export interface Ingress extends Namespaced {
  spec?: IngressSpec & Always;
  status?: IngressStatus & Always;
}

export interface IngressSpec {
  ingressClassName?: string;
  defaultBackend?: IngressBackend;
  tls?: ListAtomic<IngressTLS>;
  rules?: ListAtomic<IngressRule>;
}

export interface IngressBackend {
  service?: IngressServiceBackend;
  resource?: TypedLocalObjectReference;
}

export interface IngressServiceBackend {
  name: string;
  port?: ServiceBackendPort & Always;
}

export interface ServiceBackendPort extends AtomicStruct {
  name?: string & OmitZero;
  number?: Int32 & OmitZero;
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
  pathType: PathType & Nullable;
  backend: IngressBackend;
}

export type PathType = "Exact" | "Prefix" | "ImplementationSpecific";

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
  introduced: "1.19",
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
