import type { ResourceRequestInfo } from "../contract/request-info.ts";
import type { StatusError } from "../contract/status.ts";
import { registryKey, registryScope } from "../kinds/registry-key.ts";
import { badRequest } from "../values/status-errors.ts";
import type { CacheWatch } from "../watch/cache-watch.ts";
import { ExpiredError, TooLargeResourceVersionError } from "../watch/errors.ts";
import type { CacheWatchRequest } from "../watch/requests.ts";
import type { ResourceCache } from "../watch/resource-cache.ts";
import type { Answer } from "./answer.ts";
import type { ApiRequest } from "./api-request.ts";
import { booleanParameter, integerParameter } from "./query-options.ts";
import { readSelection, requirementsOf } from "./selection.ts";
import { toStatusError } from "./translate-errors.ts";

export interface WatchLimits {
  /** Timeout of a watch without `timeoutSeconds`. */
  readonly defaultTimeoutSeconds: () => number;
}

/** Watches a collection or one object. */
export function watchHandler(limits: WatchLimits) {
  return async (request: ApiRequest): Promise<Answer> => {
    const { resource, query, info } = request;
    const { stored } = resource;
    const asked = integerParameter(query, "timeoutSeconds");
    const selector = readSelection(info.selectors, resource);
    if (info.named) checkSelectedName(info);
    const initial = booleanParameter(query, "sendInitialEvents");
    const watch = await openWatch(stored.cache, {
      scope: info.named
        ? registryKey(stored.prefix, info.namespace, info.name)
        : registryScope(stored.prefix, info.namespace),
      single: info.named,
      resourceVersion: query.get("resourceVersion") ?? "",
      resourceVersionMatch: query.get("resourceVersionMatch") ?? "",
      allowBookmarks: booleanParameter(query, "allowWatchBookmarks") === true,
      ...(initial !== undefined && { sendInitialEvents: initial }),
      timeoutSeconds: asked !== undefined && asked > 0 ? asked : limits.defaultTimeoutSeconds(),
      ...(selector && { selector }),
    });
    return { type: "watch", watch, resource };
  };
}

/** Throws 400 if the path names an object and the request has a field selector that does not select that name. */
function checkSelectedName({ name, selectors }: ResourceRequestInfo): void {
  const fields = requirementsOf(selectors.fieldSelector);
  if (fields.length === 0) return;
  const selected = fields.find(({ field, equal }) => equal && field === "metadata.name");
  if (selected?.value !== name) throw badRequest("fieldSelector metadata.name doesn't match requested name");
}

/** Opens a watch. An expired or future resourceVersion becomes an event of the stream; other errors are thrown. */
async function openWatch(cache: ResourceCache, request: CacheWatchRequest): Promise<CacheWatch | StatusError> {
  try {
    return await cache.watch(request);
  } catch (error) {
    if (error instanceof ExpiredError || error instanceof TooLargeResourceVersionError) {
      return toStatusError(error);
    }
    throw error;
  }
}
