import type { RequestInfo, RequestVerb } from "../contract/request-info.ts";

const VERB_OF_METHOD: Readonly<Record<string, RequestVerb>> = {
  GET: "get",
  HEAD: "get",
  POST: "create",
  PUT: "update",
  PATCH: "patch",
  DELETE: "delete",
};

/** Subresources of a namespace: `/namespaces/<name>/status` is not a collection inside the namespace. */
const NAMESPACE_SUBRESOURCES = new Set(["status", "finalize"]);

/**
 * Reads verb and target off a request line, as specification 4.1 lays out paths. `path` is decoded.
 * Nothing is checked against what is served: authorization needs the answer for unknown resources, too.
 */
export function parseRequestInfo(method: string, path: string, query: URLSearchParams): RequestInfo {
  const parts = splitPath(path);
  const groupless = parts[0] === "api";
  const headLength = groupless ? 2 : 3;
  if ((!groupless && parts[0] !== "apis") || parts.length <= headLength) {
    return { isResource: false, path, verb: method.toLowerCase() };
  }
  const group = groupless ? "" : (parts[1] ?? "");
  const version = parts[headLength - 1] ?? "";
  let rest = parts.slice(headLength);
  let verb: RequestVerb = VERB_OF_METHOD[method] ?? "";
  if ((rest[0] === "watch" || rest[0] === "proxy") && rest.length === 1) {
    return { isResource: false, path, verb: method.toLowerCase(), unclear: true };
  }
  if (rest[0] === "watch" || rest[0] === "proxy") {
    verb = rest[0];
    rest = rest.slice(1);
  }
  let namespace = "";
  if (rest[0] === "namespaces" && rest.length > 1) {
    namespace = rest[1] ?? "";
    if (rest.length > 2 && !NAMESPACE_SUBRESOURCES.has(rest[2] ?? "")) {
      rest = rest.slice(2);
    }
  }
  const resource = rest[0] ?? "";
  let name = rest[1] ?? "";
  const subresource = rest[2] ?? "";
  if (name === "" && verb === "get") {
    verb = isWatch(query) ? "watch" : "list";
  } else if (name === "" && verb === "delete") {
    verb = "deletecollection";
  }
  const named = rest.length > 1 && name !== "";
  if (!named && (verb === "list" || verb === "watch")) {
    name = nameFromFieldSelector(query.get("fieldSelector")) ?? "";
  }
  return {
    isResource: true,
    path,
    verb,
    group,
    version,
    namespace,
    resource,
    subresource,
    name,
    named,
    rest: rest.slice(3),
  };
}

/** `watch`, `watch=1` and `watch=true` mean yes; `watch=false` and `watch=0` mean no. */
export function isWatch(query: URLSearchParams): boolean {
  return booleanParameter(query, "watch");
}

/** A flag of the query as Kubernetes reads it: present means yes, unless it says `false` or `0`. */
export function booleanParameter(query: URLSearchParams, name: string): boolean {
  const value = query.get(name);
  return value !== null && value.toLowerCase() !== "false" && value !== "0";
}

function splitPath(path: string): string[] {
  const trimmed = path.replace(/^\/+|\/+$/g, "");
  return trimmed === "" ? [] : trimmed.split("/");
}

/** A list narrowed to one name is authorized as a request for that name. */
function nameFromFieldSelector(selector: string | null): string | undefined {
  if (selector === null) {
    return undefined;
  }
  for (const term of selector.split(",")) {
    const match = /^metadata\.name==?([^!=]+)$/.exec(term);
    if (match) {
      return match[1];
    }
  }
  return undefined;
}
