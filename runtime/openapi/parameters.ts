import type { Json } from "./json.ts";

/** A query or path parameter, independent of the version of OpenAPI. */
export interface Parameter {
  readonly name: string;
  readonly in: "query" | "path";
  readonly type: "string" | "integer" | "boolean" | "number";
  readonly description: string;
  readonly required?: true;
  /** Distinguishes shared parameters of the same name in version 2. Absent for parameters that are written inline. */
  readonly shared?: string;
}

function query(
  name: string,
  type: Parameter["type"],
  description: string,
  shared: string | undefined = name,
): Parameter {
  return { name, in: "query", type, description, ...(shared !== undefined && { shared }) };
}

function inPath(name: string, description: string, shared?: string): Parameter {
  return { name, in: "path", type: "string", description, required: true, ...(shared !== undefined && { shared }) };
}

export const NAMESPACE = inPath("namespace", "Name of the namespace that holds the object.", "namespace");
export const PATH = inPath(
  "path",
  "Path of the request that is sent to the target, after the path of the proxied object.",
  "path.path",
);

export function nameOf(kind: string): Parameter {
  return inPath("name", `Name of the ${kind}.`);
}

const PRETTY = query(
  "pretty",
  "string",
  "Indents the response when set to `true`. Defaults to `false`, except for user agents of browsers and of tools such as curl.",
);
const DRY_RUN: Parameter = {
  name: "dryRun",
  in: "query",
  type: "string",
  description:
    "Set to `All` to run every step of the request, admission and validation included, without storing the result. No other value is allowed.",
};
const FIELD_VALIDATION: Parameter = {
  name: "fieldValidation",
  in: "query",
  type: "string",
  description:
    "How unknown and duplicate fields in the request body are handled. `Ignore` drops them silently, `Warn` drops them and returns a warning for each, `Strict` rejects the request with an error that lists them all. Defaults to `Warn`.",
};
const FIELD_MANAGER = query(
  "fieldManager",
  "string",
  "Name of the client or component that makes the change, recorded as the owner of the fields it sets. At most 128 printable characters. Defaults to a name derived from the User-Agent header.",
);
const APPLY_MANAGER = query(
  "fieldManager",
  "string",
  "Name of the client or component that makes the change, recorded as the owner of the fields it sets. At most 128 printable characters. Required for apply patches; for other patches it defaults to a name derived from the User-Agent header.",
  "fieldManager.patch",
);
const FORCE = query(
  "force",
  "boolean",
  "Resolves conflicts of an apply patch by taking over the fields that other managers own. Must be unset for other patch types.",
);

const LIST: readonly Parameter[] = [
  query(
    "continue",
    "string",
    "Token from `metadata.continue` of the previous response, which requests the next page of the same list. The server rejects a token that is older than a few minutes with status 410; the client then lists again, or goes on with the token in that error at the price of an inconsistent list. Cannot be combined with `watch` or a `resourceVersion`.",
  ),
  query(
    "fieldSelector",
    "string",
    "Restricts the list of returned objects to those whose fields match, such as `metadata.name=web,status.phase!=Failed`. Each resource supports only a few fields. Defaults to all objects.",
  ),
  query(
    "labelSelector",
    "string",
    "Restricts the list of returned objects to those whose labels match, such as `app=web,tier in (front,back),!canary`. Defaults to all objects.",
  ),
  query(
    "limit",
    "integer",
    "Maximum number of objects in the response. If there are more, `metadata.continue` holds a token for the next page. Unlimited when unset or 0. Ignored for watches.",
  ),
  query(
    "resourceVersion",
    "string",
    "Resource version that the response is based on; its meaning depends on `resourceVersionMatch`. Unset requests the most recent state, `0` any state that the server has cached. For a watch it is the version after which events are sent.",
  ),
  query(
    "resourceVersionMatch",
    "string",
    "How `resourceVersion` is applied to a list: `Exact` returns the state at that version, `NotOlderThan` that state or a newer one. Requires `resourceVersion`, except in a watch with `sendInitialEvents`, which requires `NotOlderThan`.",
  ),
  query(
    "sendInitialEvents",
    "boolean",
    "Begins a watch with an ADDED event for every existing object, followed by a bookmark event that marks the end of the initial state. Requires `watch` and `resourceVersionMatch=NotOlderThan`.",
  ),
  query(
    "timeoutSeconds",
    "integer",
    "Time limit in seconds after which the server ends the list or watch, whether or not it is active.",
  ),
];
const WATCH: readonly Parameter[] = [
  query(
    "allowWatchBookmarks",
    "boolean",
    "Requests BOOKMARK events, which carry only a resource version from which the watch can be resumed. Servers may ignore it, and clients must not rely on a particular interval. Ignored unless `watch` is set.",
  ),
  query(
    "watch",
    "boolean",
    "Watch for changes to the described resources and return them as a stream of ADDED, MODIFIED and DELETED events, starting after `resourceVersion`.",
  ),
];
const DELETE: readonly Parameter[] = [
  DRY_RUN,
  query(
    "gracePeriodSeconds",
    "integer",
    "Seconds between the deletion request and the removal of the object. 0 removes it immediately. Defaults to the grace period of the object, or of its kind.",
  ),
  query(
    "ignoreStoreReadErrorWithClusterBreakingPotential",
    "boolean",
    "Deletes an object that cannot be decrypted or decoded any more, without preconditions, finalizers or admission. Dangerous: whatever the object refers to may be left behind. Requires the permission for the verb `unsafe-delete-ignore-read-errors` and the feature gate `AllowUnsafeMalformedObjectDeletion`.",
  ),
  query(
    "orphanDependents",
    "boolean",
    "Deprecated: use `propagationPolicy`. True keeps objects that this object owns, false deletes them. Only one of the two parameters may be set.",
  ),
  query(
    "propagationPolicy",
    "string",
    "What happens to objects that this object owns: `Orphan` keeps them, `Background` deletes them after this object, `Foreground` deletes them before it. The default depends on the resource and on finalizers of the object.",
  ),
];

/** The query parameters of each action. */
export const ACTION_PARAMETERS = {
  get: [PRETTY],
  list: [PRETTY, ...WATCH, ...LIST],
  post: [PRETTY, DRY_RUN, FIELD_MANAGER, FIELD_VALIDATION],
  put: [PRETTY, DRY_RUN, FIELD_MANAGER, FIELD_VALIDATION],
  patch: [PRETTY, DRY_RUN, APPLY_MANAGER, FIELD_VALIDATION, FORCE],
  delete: [PRETTY, ...DELETE],
  deletecollection: [PRETTY, ...DELETE, ...LIST],
} as const satisfies { [action: string]: readonly Parameter[] };

/** Returns the fields of an options kind as query parameters, from its schema. Omits fields that a query cannot represent. */
export function optionParameters(name: string, { properties = {} }: Json): Parameter[] {
  return Object.entries(properties as { readonly [field: string]: Json }).flatMap(([field, schema]): Parameter[] => {
    if (field === "apiVersion" || field === "kind") return [];
    const { type } = (schema.items as Json | undefined) ?? schema;
    if (type !== "string" && type !== "boolean" && type !== "integer") return [];
    return [query(field, type, String(schema.description ?? ""), `${name}.${field}`)];
  });
}
