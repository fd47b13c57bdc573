import type { ApiObject } from "../../contract/api-object.ts";
import { badRequest, invalid, notFound, serviceUnavailable } from "../../contract/status.ts";
import { invalidField } from "../../lib/field-errors.ts";
import { registryKey } from "../../resource/registry-key.ts";
import type { Answer } from "../answer.ts";
import type { ApiRequest } from "../api-request.ts";
import { integerParameter } from "../query-options.ts";

interface PodLike extends ApiObject {
  readonly spec?: { readonly nodeName?: string; readonly containers?: readonly { readonly name: string }[] };
}

/**
 * exec, attach, portforward and proxy: connections to something that runs. This server has no way to nodes; it says so,
 * after the answers a client gets wherever there is nothing to connect to.
 */
export async function connectHandler(request: ApiRequest): Promise<Answer> {
  const object = await parent(request);
  const { resource, info } = request;
  if (resource.descriptor.kind === "Pod") {
    if (request.subresource?.name === "proxy") {
      throw badRequest("address not allowed");
    }
    if ((object.spec?.nodeName ?? "") === "") {
      throw badRequest(`pod ${info.name} does not have a host assigned`);
    }
  }
  throw serviceUnavailable(
    `cannot ${request.subresource?.name} ${resource.descriptor.kind.toLowerCase()} ${info.name}: this server has no connection to nodes`,
  );
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
