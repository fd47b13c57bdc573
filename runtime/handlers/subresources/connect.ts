import type { ApiObject } from "../../contract/api-object.ts";
import type { ObjectReader } from "../../contract/object-access.ts";
import { badRequest, invalid, notFound, serviceUnavailable } from "../../contract/status.ts";
import { invalidField } from "../../lib/field-errors.ts";
import { goQuote } from "../../lib/go-quote.ts";
import { registryKey } from "../../resource/registry-key.ts";
import type { Answer } from "../answer.ts";
import type { ApiRequest } from "../api-request.ts";
import { integerParameter } from "../query-options.ts";

interface PodLike extends ApiObject {
  readonly spec?: { readonly nodeName?: string; readonly containers?: readonly { readonly name: string }[] };
}

/** `name`, `name:port` or `scheme:name:port`, as proxies are asked for. */
const PROXIED = /^(?:(?:https?)?:)?([^:]+)(?::([^:]*))?$/;

/**
 * exec, attach, portforward and proxy: connections to something that runs. This server has no way to nodes; it says so,
 * after the answers a client gets wherever there is nothing to connect to.
 */
export function connectHandler({ objects }: { readonly objects: ObjectReader }) {
  return async (original: ApiRequest): Promise<Answer> => {
    const request = original.subresource?.name === "proxy" ? proxied(original) : original;
    const object = await parent(request);
    await refuseConnection(request, object, objects);
    throw serviceUnavailable(
      `cannot ${request.subresource?.name} ${request.resource.descriptor.kind.toLowerCase()} ${request.info.name}: this server has no connection to nodes`,
    );
  };
}

/** The object itself behind the name that a proxy is asked for by. */
function proxied(request: ApiRequest): ApiRequest {
  const { info, resource } = request;
  const [, name] = PROXIED.exec(info.name) ?? [];
  if (name === undefined) {
    throw badRequest(`invalid ${resource.descriptor.kind.toLowerCase()} request ${goQuote(info.name)}`);
  }
  return name === info.name ? request : { ...request, info: { ...info, name } };
}

async function refuseConnection(request: ApiRequest, object: PodLike, objects: ObjectReader): Promise<void> {
  const { resource, info } = request;
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
    if ((object.spec?.nodeName ?? "") === "") {
      throw badRequest(`pod ${info.name} does not have a host assigned`);
    }
  }
}

/** The log of a container. */
export async function logHandler(request: ApiRequest): Promise<Answer> {
  const pod = await parent(request);
  const { info, query } = request;
  const names = (pod.spec?.containers ?? []).map(({ name }) => name);
  const container = query.get("container") ?? "";
  if (container !== "" && !names.includes(container)) {
    throw badRequest(`container ${container} is not valid for pod ${info.name}`);
  }
  if (container === "" && names.length > 1) {
    throw badRequest(`a container name must be specified for pod ${info.name}, choose one of: [${names.join(" ")}]`);
  }
  checkLogOptions(request);
  if ((pod.spec?.nodeName ?? "") === "") {
    return { type: "text", text: "" };
  }
  throw serviceUnavailable(`cannot read the log of pod ${info.name}: this server has no connection to nodes`);
}

/** Counts of lines, bytes and seconds: none negative, and the latter two not nothing. */
function checkLogOptions({ query, info }: ApiRequest): void {
  const errors = (
    [
      ["tailLines", 0],
      ["sinceSeconds", 1],
      ["limitBytes", 1],
    ] as const
  ).flatMap(([name, least]) => {
    const value = integerParameter(query, name);
    const problem = least === 0 ? "must be greater than or equal to 0" : "must be greater than 0";
    return value === undefined || value >= least ? [] : [invalidField(name, value, problem)];
  });
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
