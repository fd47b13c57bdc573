import type { ApiObject } from "../contract/api-object.ts";
import type { ComputedKind } from "../contract/computed-kind.ts";
import { parseOwnJson } from "../encoding/json/parse-own-json.ts";
import { stringifyJson } from "../encoding/json/stringify-json.ts";
import type { ServedResource } from "../kinds/served-resource.ts";
import { CachedObject, type ObjectReader } from "../watch/cached-object.ts";
import { MemoBudget } from "../watch/memo-budget.ts";
import { type Answer, storedAnswer } from "./answer.ts";
import type { ApiRequest } from "./api-request.ts";
import { readSelection } from "./selection.ts";

/** GET of one object that is computed rather than stored. */
export function computedGetHandler(kind: ComputedKind) {
  return async ({ resource, info }: ApiRequest): Promise<Answer> =>
    storedAnswer(resource, 200, canonical(await kind.get(info.name), resource));
}

/** Lists such objects. The list has no resourceVersion and no continue token. */
export function computedListHandler(kind: ComputedKind) {
  return async ({ resource, info }: ApiRequest): Promise<Answer> => {
    const selector = readSelection(info.selectors, resource);
    const items = (await kind.list())
      .map((object) => asCached(canonical(object, resource)))
      .filter((object) => selector === undefined || selector.matches(object));
    return {
      type: "list",
      list: { items, resourceVersion: 0, continue: undefined, remainingItemCount: undefined },
      resource,
    };
  };
}

function canonical(object: ApiObject, { stored }: ServedResource): ApiObject {
  const { kind: _kind, apiVersion: _apiVersion, ...rest } = stored.schema.canonicalize(object);
  return { kind: stored.gvk.kind, apiVersion: stored.apiVersion, ...rest } as ApiObject;
}

/** Lists consist of cached objects; these are discarded after the request. */
function asCached(object: ApiObject): CachedObject {
  const { name = "", namespace = "" } = object.metadata;
  const json = Buffer.from(stringifyJson(object));
  const fields = { "metadata.name": name, "metadata.namespace": namespace };
  return new CachedObject({ key: name, modRevision: 0, json, fields }, READER);
}

const READER: ObjectReader = {
  parse: (json) => parseOwnJson(json) as Readonly<Record<string, unknown>>,
  stringify: (value) => stringifyJson(value),
  selectableFields: () => ({}),
  budget: new MemoBudget(0),
};
