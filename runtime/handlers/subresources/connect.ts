import type { FieldError } from "../../contract/field-error.ts";
import type { ObjectReader } from "../../contract/object-access.ts";
import { goQuote } from "../../go/quote.ts";
import { registryKey } from "../../kinds/registry-key.ts";
import type { NodeSettings } from "../../nodes/connection-target.ts";
import { forbiddenField, invalidField } from "../../values/field-errors.ts";
import { badRequest, invalid, notFound, serviceUnavailable } from "../../values/status-errors.ts";
import { parseTime, TimeError } from "../../values/times.ts";
import type { Answer } from "../answer.ts";
import type { ApiRequest } from "../api-request.ts";
import { integerParameter } from "../query-options.ts";
import type { WriteContext } from "../write-context.ts";
import { admitConnection } from "./admit-connection.ts";
import {
  containerOf,
  endpointsOf,
  logTarget,
  nodeOf,
  type PodLike,
  preferredAddress,
  proxyTarget,
  streamTarget,
  USUAL_ADDRESS_TYPES,
} from "./connection-targets.ts";

/** `name`, `name:port` or `scheme:name:port` in the path of a proxy request. */
const PROXIED = /^(?:(https?)?:)?([^:]+)(?::([^:]*))?$/;

interface ConnectContext extends WriteContext {
  readonly objects: ObjectReader;
  /** How to find kubelets; undefined if this server does not connect to nodes. */
  readonly nodes?: NodeSettings | undefined;
}

/**
 * exec, attach, portforward and proxy: connections to running pods, services and nodes. A server that does not connect to nodes responds
 * with 503, after the checks of Kubernetes.
 */
export function connectHandler(context: ConnectContext) {
  return async (original: ApiRequest): Promise<Answer> => {
    const options = await admitConnection(original, context);
    const isProxy = original.subresource?.name === "proxy";
    const { request, scheme, port } = isProxy
      ? proxied(original)
      : { request: original, scheme: "http" as const, port: "" };
    const object = await parent(request);
    if (context.nodes === undefined) {
      await refuseConnection(request, object, context.objects);
      throw serviceUnavailable(
        `cannot ${request.subresource?.name} ${request.resource.descriptor.kind.toLowerCase()} ${request.info.name}: this server has no connection to nodes`,
      );
    }
    const lookup = { objects: context.objects, nodes: context.nodes };
    if (!isProxy) return { type: "connection", mode: "upgrade", target: await streamTarget(request, object, lookup) };
    const { path = "" } = options as { readonly path?: string };
    const found = await proxyTarget({ request, object, scheme, port, path }, lookup);
    const { path: whole } = original.info;
    const prefix = path === "" ? whole : whole.slice(0, Math.max(0, whole.length - path.length));
    return { type: "connection", mode: "proxy", target: found, prefix };
  };
}

/** Splits the name in a proxy request. Returns the request with the plain name of the object, and the scheme and port. */
function proxied(request: ApiRequest): { request: ApiRequest; scheme: "http" | "https"; port: string } {
  const { info, resource } = request;
  const [, scheme, name, port = ""] = PROXIED.exec(info.name) ?? [];
  if (name === undefined) {
    throw badRequest(`invalid ${resource.descriptor.kind.toLowerCase()} request ${goQuote(info.name)}`);
  }
  return {
    request: name === info.name ? request : { ...request, info: { ...info, name } },
    scheme: scheme === "https" ? "https" : "http",
    port,
  };
}

/** Validates a connection that this server does not make. Throws the errors of Kubernetes. */
async function refuseConnection(request: ApiRequest, object: PodLike, objects: ObjectReader): Promise<void> {
  const { resource, info } = request;
  if (resource.descriptor.kind === "Node") preferredAddress(object, USUAL_ADDRESS_TYPES);
  if (resource.descriptor.kind === "Service") await endpointsOf(request, objects);
  if (resource.descriptor.kind === "Pod") {
    if (request.subresource?.name === "proxy") {
      throw badRequest("address not allowed");
    }
    if (request.subresource?.name !== "portforward") {
      containerOf(request, object);
    }
    if ((object.spec?.nodeName ?? "") === "") {
      throw badRequest(`pod ${info.name} does not have a host assigned`);
    }
    await nodeOf(object, objects);
  }
}

/** Serves the log of a container. */
export function logHandler({ objects, nodes }: Pick<ConnectContext, "objects" | "nodes">) {
  return async (request: ApiRequest): Promise<Answer> => {
    const { info } = request;
    const sinceTime = readSinceTime(request);
    checkLogOptions(request, sinceTime);
    const pod = await parent(request);
    const container = containerOf(request, pod);
    if ((pod.spec?.nodeName ?? "") === "") {
      return { type: "text", text: "" };
    }
    const node = await nodeOf(pod, objects);
    if (nodes === undefined) {
      throw serviceUnavailable(`cannot read the log of pod ${info.name}: this server has no connection to nodes`);
    }
    return { type: "connection", mode: "log", target: logTarget(request, { pod, node, container, sinceTime }, nodes) };
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

/**
 * Throws 422 unless `tailLines` is not negative, `limitBytes` and `sinceSeconds` are positive, and at most one of `sinceTime` and
 * `sinceSeconds` is set.
 */
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
