import type { StatusError } from "../contract/status.ts";
import { registryKey, registryScope } from "../kinds/registry-key.ts";
import type { CacheWatch } from "../watch/cache-watch.ts";
import { ExpiredError, TooLargeResourceVersionError } from "../watch/errors.ts";
import type { CacheWatchRequest } from "../watch/requests.ts";
import type { ResourceCache } from "../watch/resource-cache.ts";
import type { Answer } from "./answer.ts";
import type { ApiRequest } from "./api-request.ts";
import { integerParameter, parseBoolean } from "./query-options.ts";
import { readSelection } from "./selection.ts";
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
    const initial = query.get("sendInitialEvents");
    const watch = await openWatch(stored.cache, {
      scope: info.named
        ? registryKey(stored.prefix, info.namespace, info.name)
        : registryScope(stored.prefix, info.namespace),
      single: info.named,
      resourceVersion: query.get("resourceVersion") ?? "",
      resourceVersionMatch: query.get("resourceVersionMatch") ?? "",
      allowBookmarks: parseBoolean(query.get("allowWatchBookmarks") ?? "false"),
      ...(initial !== null && { sendInitialEvents: parseBoolean(initial) }),
      timeoutSeconds: asked !== undefined && asked > 0 ? asked : limits.defaultTimeoutSeconds(),
      ...(selector && { selector }),
    });
    return { type: "watch", watch, resource };
  };
}

/** An expired or future resourceVersion is an event of the stream; other errors are plain responses. */
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
