import { registryKey, registryScope } from "../kinds/registry-key.ts";
import { checkDnsLabel, checkPathSegment } from "../values/names.ts";
import type { ListRequest } from "../watch/requests.ts";
import type { Answer } from "./answer.ts";
import type { ApiRequest } from "./api-request.ts";
import { integerParameter } from "./query-options.ts";
import { readSelection, requirementsOf } from "./selection.ts";

/** Lists a collection from the watch cache. */
export async function listHandler(request: ApiRequest): Promise<Answer> {
  const { resource } = request;
  const list = await resource.stored.cache.list(readListRequest(request));
  return { type: "list", list, resource };
}

/** The list parameters of a request whose options have been checked. Throws 400 for a field that field selectors do not support. */
export function readListRequest(request: ApiRequest): ListRequest {
  const { resource, query, info } = request;
  const limit = integerParameter(query, "limit");
  const hasLimit = limit !== undefined && limit > 0;
  const selector = readSelection(info.selectors, resource);
  const scope = readScope(request);
  const limitsAny = hasLimit && resource.stored.hooks.compatibility?.limitsListsOfAnyVersion === true;
  return {
    ...scope,
    ...(limitsAny && query.get("resourceVersion") === "0" ? MOST_RECENT : readVersion(request)),
    // A list of one object has no pages: like Kubernetes, this ignores the token.
    continue: scope.single ? "" : (query.get("continue") ?? ""),
    ...(hasLimit && { limit }),
    ...(selector && { selector }),
  };
}

const MOST_RECENT = { resourceVersion: "", resourceVersionMatch: "" };

function readVersion({ query }: ApiRequest): Pick<ListRequest, "resourceVersion" | "resourceVersionMatch"> {
  return {
    resourceVersion: query.get("resourceVersion") ?? "",
    resourceVersionMatch: query.get("resourceVersionMatch") ?? "",
  };
}

/**
 * The keys that a request can select. A field selector may restrict them to one namespace or one object. Other objects then do not make the
 * result continue on another page.
 */
function readScope({ resource, info }: ApiRequest): Pick<ListRequest, "scope" | "single"> {
  const { prefix, namespaced } = resource.stored;
  const fields = requirementsOf(info.selectors.fieldSelector);
  const exactly = (name: string): string => fields.find(({ field, equal }) => equal && field === name)?.value ?? "";
  const selected = exactly("metadata.namespace");
  const narrows = namespaced && info.namespace === "" && checkDnsLabel(selected).length === 0;
  const namespace = narrows ? selected : info.namespace;
  const name = exactly("metadata.name");
  const isKey = name !== "" && checkPathSegment(name).length === 0 && (namespace !== "" || !namespaced);
  if (isKey) return { scope: registryKey(prefix, namespace, name), single: true };
  return { scope: registryScope(prefix, namespace) };
}
