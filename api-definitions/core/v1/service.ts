import type { Condition } from "../../meta/v1/condition.ts";
import type { Namespaced, TypeMeta } from "../../meta/v1/type-meta.ts";
import {
  type Always,
  type Default,
  type Deprecated,
  type Gated,
  type Int32,
  type IntOrString,
  kind,
  type ListAtomic,
  type ListMap,
  type MapAtomic,
  type OmitZero,
  type Open,
  type PatchMerge,
  type Published,
} from "../../vocabulary.ts";
import type { Protocol } from "./container.ts";

export interface Service extends Namespaced {
  spec?: ServiceSpec & Always;
  status?: ServiceStatus & Always;
}

export interface ServiceSpec {
  ports?: ListMap<ServicePort, "port", "protocol"> & PatchMerge<"port">;
  selector?: MapAtomic<string>;
  clusterIP?: string & OmitZero;
  clusterIPs?: ListAtomic<string>;
  type?: ServiceType & OmitZero & Default<"ClusterIP">;
  externalIPs?: ListAtomic<string>;
  sessionAffinity?: ServiceAffinity & OmitZero & Default<"None">;
  loadBalancerIP?: string & OmitZero & Deprecated;
  loadBalancerSourceRanges?: ListAtomic<string>;
  externalName?: string & OmitZero;
  externalTrafficPolicy?: ServiceExternalTrafficPolicy & OmitZero;
  healthCheckNodePort?: Int32 & OmitZero;
  publishNotReadyAddresses?: boolean & OmitZero;
  sessionAffinityConfig?: SessionAffinityConfig;
  ipFamilies?: ListAtomic<IPFamily>;
  ipFamilyPolicy?: IPFamilyPolicy;
  allocateLoadBalancerNodePorts?: boolean;
  loadBalancerClass?: string;
  internalTrafficPolicy?: ServiceInternalTrafficPolicy;
  trafficDistribution?: string & Gated<"ServiceTrafficDistribution">;
}

export type ServiceType = "ClusterIP" | "NodePort" | "LoadBalancer" | "ExternalName";

export type ServiceAffinity = "ClientIP" | "None";

export type ServiceExternalTrafficPolicy = "Cluster" | "Local";

export type IPFamily = "IPv4" | "IPv6" | "";

export type IPFamilyPolicy = "SingleStack" | "PreferDualStack" | "RequireDualStack";

export type ServiceInternalTrafficPolicy = "Cluster" | "Local";

export interface ServicePort {
  name?: string & OmitZero;
  protocol?: Protocol & OmitZero & Default<"TCP"> & Published;
  appProtocol?: string;
  port: Int32;
  targetPort?: IntOrString & Always;
  nodePort?: Int32 & OmitZero;
}

export interface SessionAffinityConfig {
  clientIP?: ClientIPConfig;
}

export interface ClientIPConfig {
  timeoutSeconds?: Int32;
}

export interface ServiceStatus {
  loadBalancer?: LoadBalancerStatus & Always;
  conditions?: ListMap<Condition, "type"> & PatchMerge<"type">;
}

export interface LoadBalancerStatus {
  ingress?: ListAtomic<LoadBalancerIngress>;
}

export interface LoadBalancerIngress {
  ip?: string & OmitZero;
  hostname?: string & OmitZero;
  ipMode?: LoadBalancerIPMode;
  ports?: ListAtomic<PortStatus>;
}

export type LoadBalancerIPMode = Open<"VIP" | "Proxy">;

export interface PortStatus {
  port: Int32;
  protocol: Protocol;
  error?: string;
}

export interface ServiceProxyOptions extends TypeMeta {
  path?: string & OmitZero;
}

export const service = kind<Service>({
  plural: "services",
  returnsDeleted: true,
  shortNames: ["svc"],
  categories: ["all"],
  introduced: "1.0",
  storedAs: "services/specs",
  createOnUpdate: true,
  subresources: {
    proxy: {
      kind: "ServiceProxyOptions",
      verbs: ["create", "delete", "get", "patch", "update"],
      connect: {
        methods: ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"],
        options: "ServiceProxyOptions",
        path: true,
      },
    },
    status: true,
  },
  selectableFields: ["spec.clusterIP", "spec.type"],
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name" },
    { name: "Type", type: "string", path: ".spec.type" },
    { name: "Cluster-IP", type: "string" },
    { name: "External-IP", type: "string" },
    { name: "Port(s)", type: "string" },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp" },
    { name: "Selector", type: "string", priority: 1 },
  ],
});

export const serviceProxyOptions = kind<ServiceProxyOptions>({ unserved: true, introduced: "1.2" });
