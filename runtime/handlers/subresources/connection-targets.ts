import { isIP } from "node:net";
import type { ApiObject } from "../../contract/api-object.ts";
import type { ObjectReader } from "../../contract/object-access.ts";
import { goQuote } from "../../go/quote.ts";
import type { ConnectionTarget, NodeSettings } from "../../nodes/connection-target.ts";
import { isGlobalUnicast } from "../../nodes/global-unicast.ts";
import { badRequest, notFound, plainFailure, serviceUnavailable } from "../../values/status-errors.ts";
import type { ApiRequest } from "../api-request.ts";
import { booleanParameter, integerParameter } from "../query-options.ts";

interface Named {
  readonly name: string;
  readonly ports?: readonly { readonly containerPort: number }[];
}

/** The fields of pods, nodes and services from which connection targets are determined. */
export interface PodLike extends ApiObject {
  readonly spec?: {
    readonly nodeName?: string;
    readonly containers?: readonly Named[];
    readonly initContainers?: readonly Named[];
    readonly ephemeralContainers?: readonly Named[];
    readonly ports?: readonly { readonly name?: string; readonly port: number }[];
  };
  readonly status?: {
    readonly podIP?: string;
    readonly podIPs?: readonly { readonly ip: string }[];
    readonly addresses?: readonly { readonly type: string; readonly address: string }[];
    readonly daemonEndpoints?: { readonly kubeletEndpoint?: { readonly Port?: number } };
  };
}

/** Query parameters of a request to a kubelet. */
type Parameters = readonly (readonly [name: string, value: string])[];

export interface Lookup {
  readonly objects: ObjectReader;
  readonly nodes: NodeSettings;
}

export const USUAL_ADDRESS_TYPES = ["Hostname", "InternalDNS", "InternalIP", "ExternalDNS", "ExternalIP"];

/** The address of a node that has the first available type. Throws a StatusError if the node has none of the types. */
export function preferredAddress({ status }: PodLike, types: readonly string[]): string {
  const addresses = status?.addresses ?? [];
  for (const type of types) {
    const found = addresses.find((one) => one.type === type);
    if (found !== undefined) return found.address;
  }
  const known = addresses.map(({ type, address }) => `{${type} ${address}}`).join(" ");
  throw plainFailure(`no preferred addresses found; known addresses: [${known}]`);
}

/** The node of a pod. If it does not exist, the error calls it a pod, as in Kubernetes. */
export async function nodeOf({ spec }: PodLike, objects: ObjectReader): Promise<PodLike> {
  const name = spec?.nodeName ?? "";
  const node = await objects.get({ group: "", resource: "nodes" }, "", name);
  if (node === undefined) throw notFound({ group: "", resource: "pods" }, name);
  return node as PodLike;
}

/** The container that the request names, or the only one. Throws a StatusError if there is no such container. */
export function containerOf({ info, query }: ApiRequest, pod: PodLike): string {
  const { containers = [], initContainers = [], ephemeralContainers = [] } = pod.spec ?? {};
  const container = query.get("container") ?? "";
  const all = [...initContainers, ...containers, ...ephemeralContainers].map(({ name }) => name);
  if (container !== "" && !all.includes(container)) {
    throw badRequest(`container ${container} is not valid for pod ${info.name}`);
  }
  if (container === "" && containers.length > 1) {
    throw badRequest(`a container name must be specified for pod ${info.name}, choose one of: [${all.join(" ")}]`);
  }
  return container === "" ? (containers[0]?.name ?? "") : container;
}

/** A target on the kubelet of a node. Example of a path: `/exec/default/web/nginx`. */
function kubeletTarget(node: PodLike, { addressTypes, port }: NodeSettings, path: string, query: Parameters) {
  return {
    scheme: "https",
    host: preferredAddress(node, addressTypes),
    port: node.status?.daemonEndpoints?.kubeletEndpoint?.Port || port,
    path,
    query: query.map((pair) => pair.map(encodeURIComponent).join("=")).join("&"),
    trust: "kubelet",
  } as const satisfies ConnectionTarget;
}

/** The target of a request for the log of a container. */
export function logTarget(
  { info, query }: ApiRequest,
  found: { readonly pod: PodLike; readonly node: PodLike; readonly container: string; readonly sinceTime: string },
  nodes: NodeSettings,
): ConnectionTarget {
  const passed: [name: string, value: string][] = [];
  for (const name of ["follow", "previous", "timestamps"])
    if (booleanParameter(query, name)) passed.push([name, "true"]);
  for (const name of ["sinceSeconds", "tailLines", "limitBytes"]) {
    const value = integerParameter(query, name);
    if (value !== undefined) passed.push([name, String(value)]);
  }
  if (found.sinceTime !== "") passed.push(["sinceTime", found.sinceTime]);
  const path = `/containerLogs/${info.namespace}/${info.name}/${found.container}`;
  const target = kubeletTarget(found.node, nodes, path, passed);
  return booleanParameter(query, "insecureSkipTLSVerifyBackend") ? { ...target, trust: "unverified" } : target;
}

const KUBELET_PATHS: Readonly<Record<string, string>> = { exec: "exec", attach: "attach", portforward: "portForward" };

/** The target of a stream to a container or to ports of a pod. */
export async function streamTarget(request: ApiRequest, pod: PodLike, where: Lookup): Promise<ConnectionTarget> {
  const { info, query, subresource } = request;
  const kind = KUBELET_PATHS[subresource?.name ?? ""] ?? "";
  const isPortForward = kind === "portForward";
  const container = isPortForward ? "" : `/${containerOf(request, pod)}`;
  if ((pod.spec?.nodeName ?? "") === "") throw badRequest(`pod ${info.name} does not have a host assigned`);
  const node = await nodeOf(pod, where.objects);
  const passed: [name: string, value: string][] = [];
  if (isPortForward) {
    const ports = query.getAll("ports").join(",");
    if (ports !== "") passed.push(["port", ports]);
  } else {
    for (const [name, sent] of [
      ["stdin", "input"],
      ["stdout", "output"],
      ["stderr", "error"],
      ["tty", "tty"],
    ] as const) {
      if (booleanParameter(query, name)) passed.push([sent, "1"]);
    }
    if (kind === "exec") for (const part of query.getAll("command")) passed.push(["command", part]);
  }
  return kubeletTarget(node, where.nodes, `/${kind}/${info.namespace}/${info.name}${container}`, passed);
}

interface ProxyRequest {
  readonly request: ApiRequest;
  readonly object: PodLike;
  readonly scheme: "http" | "https";
  readonly port: string;
  readonly path: string;
}

/** The target of a proxy request to a node, a pod or a service. */
export async function proxyTarget(proxy: ProxyRequest, where: Lookup): Promise<ConnectionTarget> {
  const { request, object, scheme, path } = proxy;
  const common = { scheme, path: path === "" ? "/" : path, query: request.info.queryText, trust: "proxy" } as const;
  switch (request.resource.descriptor.kind) {
    case "Node": {
      const kubelet = kubeletTarget(object, where.nodes, common.path, []);
      const address = await checkedAddress(kubelet.host);
      if (proxy.port === "" || Number(proxy.port) === kubelet.port) return { ...kubelet, address, query: common.query };
      return { ...common, host: kubelet.host, address, port: portNumber(proxy.port, scheme) };
    }
    case "Service":
      return { ...common, ...(await endpointOf(proxy, where.objects)) };
    default: {
      const host = object.status?.podIP ?? object.status?.podIPs?.[0]?.ip ?? "";
      if (!isGlobalUnicast(host)) throw badRequest("address not allowed");
      const first = object.spec?.containers?.find(({ ports = [] }) => ports.length > 0)?.ports?.[0]?.containerPort;
      return {
        ...common,
        host,
        port: proxy.port === "" ? (first ?? usualPort(scheme)) : portNumber(proxy.port, scheme),
      };
    }
  }
}

/** Resolves a host once and checks all its addresses. The connection is made to the address that was checked. */
async function checkedAddress(host: string): Promise<string> {
  let addresses: string[];
  try {
    const { lookup } = process.getBuiltinModule("node:dns/promises");
    addresses = isIP(host) === 0 ? (await lookup(host, { all: true })).map(({ address }) => address) : [host];
  } catch {
    throw badRequest(`lookup ${host}: no such host`);
  }
  const [first] = addresses;
  if (first === undefined) throw badRequest("no addresses for hostname");
  if (!addresses.every(isGlobalUnicast)) throw badRequest("address not allowed");
  return first;
}

interface Subset {
  readonly addresses?: readonly { readonly ip: string; readonly targetRef?: { name?: string; namespace?: string } }[];
  readonly ports?: readonly { readonly name?: string; readonly port: number }[];
}

/** The endpoints of a service. Throws a StatusError if it has none. */
export async function endpointsOf({ resource, info }: ApiRequest, objects: ObjectReader): Promise<readonly Subset[]> {
  const endpoints = await objects.get({ group: "", resource: "endpoints" }, info.namespace, info.name);
  if (endpoints === undefined) throw notFound(resource.groupResource, info.name);
  const subsets = (endpoints.subsets ?? []) as readonly Subset[];
  if (!subsets.some(({ addresses = [] }) => addresses.length > 0)) {
    throw serviceUnavailable(`no endpoints available for service ${goQuote(info.name)}`);
  }
  return subsets;
}

/** A random endpoint of a service that is the address of a pod in its namespace. */
async function endpointOf({ request, object, port }: ProxyRequest, objects: ObjectReader) {
  const { namespace, name } = request.info;
  const subsets = await endpointsOf(request, objects);
  const wanted = servicePortName(object, port, name);
  const candidates = subsets.flatMap(({ addresses = [], ports = [] }) => {
    const found = ports.find((one) => (one.name ?? "") === wanted);
    return found === undefined ? [] : addresses.map(({ ip, targetRef }) => ({ ip, targetRef, port: found.port }));
  });
  const start = Math.floor(Math.random() * candidates.length);
  for (const { ip, port: at, targetRef } of [...candidates.slice(start), ...candidates.slice(0, start)]) {
    if (targetRef?.namespace !== namespace || !isGlobalUnicast(ip)) continue;
    const pod = (await objects.get({ group: "", resource: "pods" }, namespace, targetRef.name ?? "")) as
      | PodLike
      | undefined;
    if (pod?.status?.podIPs?.some((one) => one.ip === ip) === true) return { host: ip, port: at };
  }
  throw serviceUnavailable(`no endpoints available for service ${goQuote(name)}`);
}

/** The name of the service port that a request specifies by name or number. By default the unnamed port. */
function servicePortName({ spec }: PodLike, port: string, service: string): string {
  if (!/^\d+$/.test(port)) return port;
  const found = (spec?.ports ?? []).find((one) => one.port === Number(port));
  if (found === undefined) throw serviceUnavailable(`no service port ${port} found for service ${goQuote(service)}`);
  return found.name ?? "";
}

function portNumber(port: string, scheme: "http" | "https"): number {
  if (port === "") return usualPort(scheme);
  const number = /^\d{1,5}$/.test(port) ? Number(port) : 0;
  if (number < 1 || number > 65_535) throw badRequest(`invalid port ${goQuote(port)}`);
  return number;
}

function usualPort(scheme: "http" | "https"): number {
  return scheme === "https" ? 443 : 80;
}
