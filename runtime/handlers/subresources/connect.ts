import type { ApiObject } from "../../contract/api-object.ts";
import type { FieldError } from "../../contract/field-error.ts";
import type { ObjectReader } from "../../contract/object-access.ts";
import { goQuote } from "../../go/quote.ts";
import { registryKey } from "../../kinds/registry-key.ts";
import { forbiddenField, invalidField } from "../../values/field-errors.ts";
import { badRequest, invalid, notFound, plainFailure, serviceUnavailable } from "../../values/status-errors.ts";
import { parseTime, TimeError } from "../../values/times.ts";
import type { Answer } from "../answer.ts";
import type { ApiRequest } from "../api-request.ts";
import { integerParameter } from "../query-options.ts";
import type { WriteContext } from "../write-context.ts";
import { admitConnection } from "./admit-connection.ts";

interface PodLike extends ApiObject {
  readonly spec?: {
    readonly nodeName?: string;
    readonly containers?: readonly { readonly name: string }[];
    readonly initContainers?: readonly { readonly name: string }[];
    readonly ephemeralContainers?: readonly { readonly name: string }[];
  };
  readonly status?: { readonly addresses?: readonly { readonly type: string; readonly address: string }[] };
}

/** `name`, `name:port` or `scheme:name:port` in the path of a proxy request. */
const PROXIED = /^(?:(?:https?)?:)?([^:]+)(?::([^:]*))?$/;

/**
 * exec, attach, portforward and proxy: connections to running pods, services and nodes. This server has no connection to
 * nodes: after the checks of Kubernetes it responds with 503.
 */
export function connectHandler(context: WriteContext & { readonly objects: ObjectReader }) {
  return async (original: ApiRequest): Promise<Answer> => {
    await admitConnection(original, context);
    const request = original.subresource?.name === "proxy" ? proxied(original) : original;
    const object = await parent(request);
    await refuseConnection(request, object, context.objects);
    throw serviceUnavailable(
      `cannot ${request.subresource?.name} ${request.resource.descriptor.kind.toLowerCase()} ${request.info.name}: this server has no connection to nodes`,
    );
  };
}

/** The request with the object's plain name, without scheme and port. */
function proxied(request: ApiRequest): ApiRequest {
  const { info, resource } = request;
  const [, name] = PROXIED.exec(info.name) ?? [];
  if (name === undefined) {
    throw badRequest(`invalid ${resource.descriptor.kind.toLowerCase()} request ${goQuote(info.name)}`);
  }
  return name === info.name ? request : { ...request, info: { ...info, name } };
}

const REACHED_BY = ["Hostname", "InternalDNS", "InternalIP", "ExternalDNS", "ExternalIP"];

function checkAddresses({ status }: PodLike): void {
  const addresses = status?.addresses ?? [];
  if (addresses.some(({ type }) => REACHED_BY.includes(type))) return;
  const known = addresses.map(({ type, address }) => `{${type} ${address}}`).join(" ");
  throw plainFailure(`no preferred addresses found; known addresses: [${known}]`);
}

async function refuseConnection(request: ApiRequest, object: PodLike, objects: ObjectReader): Promise<void> {
  const { resource, info } = request;
  if (resource.descriptor.kind === "Node") checkAddresses(object);
  if (resource.descriptor.kind === "Service") {
    const endpoints = await objects.get({ group: "", resource: "endpoints" }, info.namespace, info.name);
    if (endpoints === undefined) {
      throw notFound(resource.groupResource, info.name);
    }
    const subsets = (endpoints.subsets ?? []) as readonly { readonly addresses?: readonly unknown[] }[];
    if (!subsets.some(({ addresses = [] }) => addresses.length > 0)) {
      throw serviceUnavailable(`no endpoints available for service ${goQuote(info.name)}`);
    }
  }
  if (resource.descriptor.kind === "Pod") {
    if (request.subresource?.name === "proxy") {
      throw badRequest("address not allowed");
    }
    if (request.subresource?.name !== "portforward") {
      checkContainer(request, object);
    }
    if ((object.spec?.nodeName ?? "") === "") {
      throw badRequest(`pod ${info.name} does not have a host assigned`);
    }
    await checkNode(object, objects);
  }
}

/** Kubernetes looks up the node, and names it as a pod in the error if it does not exist. */
async function checkNode({ spec }: PodLike, objects: ObjectReader): Promise<void> {
  const name = spec?.nodeName ?? "";
  if ((await objects.get({ group: "", resource: "nodes" }, "", name)) === undefined) {
    throw notFound({ group: "", resource: "pods" }, name);
  }
}

function checkContainer({ info, query }: ApiRequest, pod: PodLike): void {
  const { containers = [], initContainers = [], ephemeralContainers = [] } = pod.spec ?? {};
  const container = query.get("container") ?? "";
  const all = [...containers, ...initContainers, ...ephemeralContainers].map(({ name }) => name);
  if (container !== "" && !all.includes(container)) {
    throw badRequest(`container ${container} is not valid for pod ${info.name}`);
  }
  if (container === "" && containers.length > 1) {
    const all = names([...initContainers, ...containers, ...ephemeralContainers]);
    throw badRequest(`a container name must be specified for pod ${info.name}, choose one of: [${all}]`);
  }
}

function names(containers: readonly { readonly name: string }[]): string {
  return containers.map(({ name }) => name).join(" ");
}

/** The log of a container. */
export function logHandler({ objects }: { readonly objects: ObjectReader }) {
  return async (request: ApiRequest): Promise<Answer> => {
    const { info } = request;
    const sinceTime = readSinceTime(request);
    checkLogOptions(request, sinceTime);
    const pod = await parent(request);
    checkContainer(request, pod);
    if ((pod.spec?.nodeName ?? "") === "") {
      return { type: "text", text: "" };
    }
    await checkNode(pod, objects);
    throw serviceUnavailable(`cannot read the log of pod ${info.name}: this server has no connection to nodes`);
  };
}

function readSinceTime({ query }: ApiRequest): string {
  const text = query.get("sinceTime") ?? "";
  try {
    if (text !== "") parseTime(text);
    return text;
  } catch (error) {
    if (error instanceof TimeError) throw badRequest(error.message);
    throw error;
  }
}

/** `tailLines` must not be negative, `limitBytes` and `sinceSeconds` must be positive; `sinceTime` excludes `sinceSeconds`. */
function checkLogOptions({ query, info }: ApiRequest, sinceTime: string): void {
  const counted = (name: string, least: 0 | 1): FieldError[] => {
    const value = integerParameter(query, name);
    const problem = least === 0 ? "must be greater than or equal to 0" : "must be greater than 0";
    return value === undefined || value >= least ? [] : [invalidField(name, value, problem)];
  };
  const both = sinceTime !== "" && query.has("sinceSeconds");
  const errors = [
    ...counted("tailLines", 0),
    ...counted("limitBytes", 1),
    ...(both ? [forbiddenField("[]", "at most one of `sinceTime` or `sinceSeconds` may be specified")] : []),
    ...(both ? [] : counted("sinceSeconds", 1)),
    ...(query.get("stream") ? [forbiddenField("stream", "may not be specified")] : []),
  ];
  if (errors.length > 0) {
    throw invalid({ group: "", kind: "PodLogOptions" }, info.name, errors);
  }
}

async function parent({ resource, info }: ApiRequest): Promise<PodLike> {
  const key = registryKey(resource.stored.prefix, info.namespace, info.name);
  const cached = await resource.stored.cache.get(key);
  if (cached === undefined) {
    throw notFound(resource.groupResource, info.name);
  }
  return cached.object as unknown as PodLike;
}
