import { registryKey } from "../kinds/registry-key.ts";
import { badRequest, notFound } from "../values/status-errors.ts";
import type { Answer } from "./answer.ts";
import type { ApiRequest } from "./api-request.ts";
import { booleanParameter } from "./query-options.ts";

/** Returns one object. */
export async function getHandler(request: ApiRequest): Promise<Answer> {
  return { type: "cached", object: await getObject(request), resource: request.resource };
}

/** Reads one object from the watch cache. */
export async function getObject({ resource, info, query }: ApiRequest) {
  if (booleanParameter(query, "export") === true) {
    throw badRequest("the export parameter, deprecated since v1.14, is no longer supported");
  }
  const key = registryKey(resource.stored.prefix, info.namespace, info.name);
  const { cache, ttlSeconds } = resource.stored;
  const version = query.get("resourceVersion") ?? "";
  // Kubernetes has no watch cache for objects that expire (Events).
  const object = await (ttlSeconds === undefined ? cache.get(key, version) : cache.getStored(key, version));
  if (object === undefined) {
    throw notFound(resource.groupResource, info.name);
  }
  return object;
}
