import { isDeepStrictEqual } from "node:util";
import {
  isGivenNodePorts,
  isReachedFromOutside,
  needsClusterIp,
  needsHealthCheckPort,
  needsNodePort,
  type Service,
  type ServiceSpec,
} from "./service-shape.ts";

/** Keeps `clusterIP` and `clusterIPs` consistent when a client sets only one of them. */
export function alignClusterIps(spec: ServiceSpec, old: ServiceSpec | undefined): void {
  const address = spec.clusterIP ?? "";
  if (old === undefined) {
    if (address !== "" && !spec.clusterIPs?.length) spec.clusterIPs = [address];
    return;
  }
  const oldAddress = old.clusterIP ?? "";
  if (old.clusterIPs?.length && !spec.clusterIPs?.length && address === oldAddress)
    spec.clusterIPs = [...old.clusterIPs];
  if (address === oldAddress || !isDeepStrictEqual(spec.clusterIPs ?? [], old.clusterIPs ?? [])) return;
  if (address === "") delete spec.clusterIPs;
  else spec.clusterIPs = [address];
}

/** Keeps allocated values that a client omits: replacing a Service with its original manifest changes nothing. */
export function keepAllocated(spec: ServiceSpec, old: ServiceSpec): void {
  if (needsClusterIp(old) && needsClusterIp(spec)) {
    if (!spec.clusterIP && old.clusterIP) spec.clusterIP = old.clusterIP;
    if (!spec.clusterIPs?.length && old.clusterIPs?.length) spec.clusterIPs = [...old.clusterIPs];
  }
  if (isGivenNodePorts(old) && isGivenNodePorts(spec)) {
    const numbers = ({ ports = [] }: ServiceSpec) => new Set(ports.flatMap(({ nodePort }) => nodePort || []));
    const kept = numbers(spec);
    const before = new Map((old.ports ?? []).map((port) => [port.name ?? "", port.nodePort]));
    for (const port of spec.ports ?? []) {
      const known = before.get(port.name ?? "");
      if (!port.nodePort && known && !kept.has(known)) port.nodePort = known;
    }
  }
  if (needsHealthCheckPort(old) && needsHealthCheckPort(spec) && !spec.healthCheckNodePort && old.healthCheckNodePort)
    spec.healthCheckNodePort = old.healthCheckNodePort;
}

const INTERNAL_POLICIES: ReadonlySet<string | undefined> = new Set(["Cluster", "Local"]);

/** Clears fields that only the old type supports after a change of type, unless the client changed them. */
export function dropFieldsOfOldType(service: Service, { spec: old }: Service): void {
  const { spec } = service;
  if (needsClusterIp(old) && !needsClusterIp(spec)) {
    if (spec.clusterIP === old.clusterIP && isDeepStrictEqual(spec.clusterIPs, old.clusterIPs)) {
      delete spec.clusterIP;
      delete spec.clusterIPs;
    }
    if (isDeepStrictEqual(spec.ipFamilies, old.ipFamilies)) delete spec.ipFamilies;
    if (spec.ipFamilyPolicy === old.ipFamilyPolicy) delete spec.ipFamilyPolicy;
  }
  if (needsNodePort(old) && !needsNodePort(spec)) {
    const before = new Set((old.ports ?? []).map(({ nodePort }) => nodePort));
    if ((spec.ports ?? []).every(({ nodePort }) => !nodePort || before.has(nodePort)))
      for (const port of spec.ports ?? []) delete port.nodePort;
  }
  if (needsHealthCheckPort(old) && !needsHealthCheckPort(spec) && spec.healthCheckNodePort === old.healthCheckNodePort)
    delete spec.healthCheckNodePort;
  if (old.type === "LoadBalancer" && spec.type !== "LoadBalancer") {
    if (spec.allocateLoadBalancerNodePorts === old.allocateLoadBalancerNodePorts)
      delete spec.allocateLoadBalancerNodePorts;
    if (spec.loadBalancerClass === old.loadBalancerClass) delete spec.loadBalancerClass;
  }
  // An invalid value is kept for validation to reject.
  if (!needsClusterIp(spec) && INTERNAL_POLICIES.has(spec.internalTrafficPolicy)) delete spec.internalTrafficPolicy;
  if (
    isReachedFromOutside(old) &&
    !isReachedFromOutside(spec) &&
    spec.externalTrafficPolicy === old.externalTrafficPolicy
  )
    delete spec.externalTrafficPolicy;
  // `service` is the object to store, including its status.
  if (spec.type !== "LoadBalancer" && service.status !== undefined)
    service.status = { ...service.status, loadBalancer: {} };
}
