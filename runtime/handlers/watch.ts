import { registryKey, registryScope } from "../resource/registry-key.ts";
import type { Answer } from "./answer.ts";
import type { ApiRequest } from "./api-request.ts";
import { integerParameter, parseBoolean } from "./query-options.ts";
import { readSelection } from "./selection.ts";

export interface WatchLimits {
  /** Seconds a watch lasts that does not say how long. */
  readonly defaultTimeoutSeconds: () => number;
}

/** Follows a collection or one object (sections 4.6 and 6.1). */
export function watchHandler(limits: WatchLimits) {
  return async (request: ApiRequest): Promise<Answer> => {
    const { resource, query, info } = request;
    const { stored } = resource;
    const asked = integerParameter(query, "timeoutSeconds");
    const selector = readSelection(query, stored);
    const initial = query.get("sendInitialEvents");
    const watch = await stored.cache.watch({
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
