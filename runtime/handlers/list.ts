import { invalid } from "../contract/status.ts";
import { forbiddenField } from "../lib/field-errors.ts";
import { registryScope } from "../resource/registry-key.ts";
import type { Answer } from "./answer.ts";
import type { ApiRequest } from "./api-request.ts";
import { integerParameter } from "./query-options.ts";
import { readSelection } from "./selection.ts";

/** Lists a collection from the watch cache (sections 4.5 and 4.6). */
export async function listHandler(request: ApiRequest): Promise<Answer> {
  const { resource, query } = request;
  const { stored } = resource;
  const limit = integerParameter(query, "limit");
  integerParameter(query, "timeoutSeconds");
  const selector = readSelection(query, resource);
  if (query.has("sendInitialEvents")) {
    refuseInitialEvents(request);
  }
  const list = await stored.cache.list({
    scope: registryScope(stored.prefix, request.info.namespace),
    resourceVersion: query.get("resourceVersion") ?? "",
    resourceVersionMatch: query.get("resourceVersionMatch") ?? "",
    continue: query.get("continue") ?? "",
    ...(limit !== undefined && limit > 0 && { limit }),
    ...(selector && { selector }),
  });
  return { type: "list", list, resource };
}

function refuseInitialEvents({ query, resource }: ApiRequest): never {
  const errors = [forbiddenField("sendInitialEvents", "sendInitialEvents is forbidden for list")];
  if (query.get("resourceVersionMatch") && !query.get("resourceVersion")) {
    errors.unshift(
      forbiddenField("resourceVersionMatch", "resourceVersionMatch is forbidden unless resourceVersion is provided"),
    );
  }
  throw invalid({ group: resource.metaGroup, kind: "ListOptions" }, "", errors);
}
