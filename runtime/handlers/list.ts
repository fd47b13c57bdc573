import { forbiddenField } from "../values/field-errors.ts";
import { invalid } from "../values/status-errors.ts";
import type { ListRequest } from "../watch/requests.ts";
import type { Answer } from "./answer.ts";
import type { ApiRequest } from "./api-request.ts";
import { readListRequest } from "./list-request.ts";
import { integerParameter } from "./query-options.ts";

/** Lists a collection from the watch cache. */
export async function listHandler(request: ApiRequest): Promise<Answer> {
  const { resource } = request;
  const list = await resource.stored.cache.list(readOptions(request));
  return { type: "list", list, resource };
}

/** The list options. Throws for parameters that lists do not support. */
export function readOptions(request: ApiRequest): ListRequest {
  integerParameter(request.query, "timeoutSeconds");
  const wanted = readListRequest(request);
  if (request.query.has("sendInitialEvents")) {
    refuseInitialEvents(request);
  }
  return wanted;
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
