import type {
  Service as ServiceKind,
  ServicePort,
  ServiceSpec as Spec,
} from "../../../api-definitions/core/v1/service.ts";
import type { ObjectOf } from "../../contract/api-object.ts";
import { canonicalAddress, type IpFamily } from "./address-range.ts";

export type { ServicePort };

/** Validation ensures that no family is an empty string. */
export type ServiceSpec = Omit<Spec, "ipFamilies"> & { ipFamilies?: IpFamily[] };

/** A Service with a spec, which every stored Service has. */
export type Service = ObjectOf<Omit<ServiceKind, "spec"> & { spec: ServiceSpec }>;

export function needsClusterIp({ type }: ServiceSpec): boolean {
  return type !== "ExternalName";
}

export function needsNodePort({ type }: ServiceSpec): boolean {
  return type === "NodePort" || type === "LoadBalancer";
}

/** Whether the server allocates node ports that the service does not request. */
export function isGivenNodePorts({ type, allocateLoadBalancerNodePorts }: ServiceSpec): boolean {
  return type === "NodePort" || (type === "LoadBalancer" && allocateLoadBalancerNodePorts !== false);
}

export function isReachedFromOutside({ type, externalIPs = [] }: ServiceSpec): boolean {
  return type === "NodePort" || type === "LoadBalancer" || (type === "ClusterIP" && externalIPs.length > 0);
}

export function needsHealthCheckPort({ type, externalTrafficPolicy }: ServiceSpec): boolean {
  return type === "LoadBalancer" && externalTrafficPolicy === "Local";
}

export function isHeadless({ clusterIP, clusterIPs }: ServiceSpec): boolean {
  return clusterIP === "None" || clusterIPs?.[0] === "None";
}

/** Returns every node port of a Service, including the health check port. */
export function nodePortsOf(spec: ServiceSpec): number[] {
  const ports = (spec.ports ?? []).flatMap(({ nodePort }) => nodePort || []);
  if (needsHealthCheckPort(spec) && spec.healthCheckNodePort) ports.push(spec.healthCheckNodePort);
  return [...new Set(ports)];
}

export function addressesOf(spec: ServiceSpec): string[] {
  if (!needsClusterIp(spec) || isHeadless(spec)) return [];
  return (spec.clusterIPs ?? (spec.clusterIP ? [spec.clusterIP] : []))
    .filter((address) => address !== "")
    .map(canonicalAddress);
}
