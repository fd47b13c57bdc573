import type { Verb } from "../../contract/resource-descriptor.ts";
import { registryKey } from "../../kinds/registry-key.ts";
import type { ServedResource } from "../../kinds/served-resource.ts";
import { type Answer, liveAnswer } from "../answer.ts";
import type { ApiRequest } from "../api-request.ts";
import type { Handler } from "../handler.ts";

const made = new WeakMap<ServedResource, ServedResource>();

/** Handlers of the subresource `status`: those of the verbs, applied to the objects of `objectsForStatus` if the resource has them. */
export function statusHandlers(verbs: Readonly<Record<Verb, Handler>>): Readonly<Record<Verb, Handler>> {
  const onStatus =
    (handler: Handler): Handler =>
    (request) =>
      handler(forStatus(request));
  return { ...verbs, get: getStatus(verbs.get), update: onStatus(verbs.update), patch: onStatus(verbs.patch) };
}

function getStatus(get: Handler): Handler {
  return async (request): Promise<Answer> => {
    // This also waits for the resourceVersion of the request.
    const answer = await get(request);
    const { resource, info } = request;
    const key = registryKey(resource.stored.prefix, info.namespace, info.name);
    const live = await resource.stored.objectsForStatus?.get(key);
    return live === undefined ? answer : liveAnswer(resource, 200, live);
  };
}

function forStatus(request: ApiRequest): ApiRequest {
  const { resource } = request;
  const { objectsForStatus } = resource.stored;
  if (objectsForStatus === undefined) return request;
  const known = made.get(resource);
  const changed = known ?? { ...resource, stored: { ...resource.stored, objects: objectsForStatus } };
  if (known === undefined) made.set(resource, changed);
  return { ...request, resource: changed };
}
