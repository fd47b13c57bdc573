import type { TypeRef } from "../contract/type-table.ts";
import { capitalize, groupTag, versionPath, versionWord } from "./openapi-names.ts";
import type { Operation } from "./operations.ts";

function discovery(path: string, operationId: string, tag: string, description: string, answer: TypeRef): Operation {
  return {
    path,
    method: "get",
    operationId,
    tag,
    description,
    parameters: [],
    answers: { 200: answer },
    produces: "objects",
  };
}

/** `GET /api/`: the versions of the core group. */
export function coreVersions(): Operation {
  return discovery(
    "/api/",
    "getCoreAPIVersions",
    "core",
    "Lists the available versions of the core API group.",
    "meta/v1.APIVersions",
  );
}

/** `GET /apis/`: all groups. */
export function allGroups(): Operation {
  return discovery("/apis/", "getAPIVersions", "apis", "Lists the available API groups.", "meta/v1.APIGroupList");
}

/** `GET /apis/apps/`: one group. */
export function oneGroup(domain: string, group: string): Operation {
  const tag = groupTag(group, domain);
  return discovery(
    `/apis/${group}/`,
    `get${capitalize(tag)}APIGroup`,
    tag,
    `Returns the versions of the API group ${group}.`,
    "meta/v1.APIGroup",
  );
}

/** `GET /apis/apps/v1/`: the resources of one version. */
export function versionResources(domain: string, group: string, version: string): Operation {
  return discovery(
    `${versionPath(group, version)}/`,
    `get${versionWord(group, version, domain)}APIResources`,
    `${groupTag(group, domain)}_${version}`,
    "Lists the resources of this API version.",
    "meta/v1.APIResourceList",
  );
}
