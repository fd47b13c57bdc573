import type { ApiObject } from "../../contract/api-object.ts";
import { canonicalAddress, type IpFamily } from "./address-range.ts";

export interface ServicePort {
  name?: string;
  port: number;
  protocol?: string;
  nodePort?: number;
}

/** The fields of a Service that allocation reads or sets. */
export interface ServiceSpec {
  type?: string;
  clusterIP?: string;
  clusterIPs?: string[];
  ipFamilies?: IpFamily[];
  ipFamilyPolicy?: string;
  ports?: ServicePort[];
  selector?: Record<string, string>;
  externalIPs?: string[];
  externalTrafficPolicy?: string;
  internalTrafficPolicy?: string;
  healthCheckNodePort?: number;
  allocateLoadBalancerNodePorts?: boolean;
  loadBalancerClass?: string;
}

export interface Service extends ApiObject {
  spec: ServiceSpec;
  status?: { loadBalancer?: object };
}

export function needsClusterIp({ type }: ServiceSpec): boolean {
  return type !== "ExternalName";
}

export function needsNodePort({ type }: ServiceSpec): boolean {
  return type === "NodePort" || type === "LoadBalancer";
}

/** Whether the server gives it ports of nodes that it does not ask for. */
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

/** Every node port a service holds, the one for health checks included. */
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
