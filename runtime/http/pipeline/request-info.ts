import type {
  ParsedSelector,
  RequestInfo,
  RequestLine,
  RequestQuery,
  RequestSelectors,
  RequestVerb,
} from "../../contract/request-info.ts";
import { parseGoInt } from "../../go/int.ts";
import { booleanParameter } from "../../handlers/query-options.ts";
import { parseFieldSelector } from "../../values/field-selector.ts";
import { parseLabelSelector, SelectorSyntaxError } from "../../values/label-selector.ts";
import { checkPathSegment } from "../../values/names.ts";
import { readRequestLine } from "./request-line.ts";
import { trimSlashes } from "./trim-slashes.ts";

const VERB_OF_METHOD: ReadonlyMap<string, RequestVerb> = new Map([
  ["GET", "get"],
  ["HEAD", "get"],
  ["POST", "create"],
  ["PUT", "update"],
  ["PATCH", "patch"],
  ["DELETE", "delete"],
]);

/** Subresources of a namespace: `/namespaces/<name>/status` is not a collection in the namespace. */
const NAMESPACE_SUBRESOURCES = new Set(["status", "finalize"]);

/**
 * Parses a request into the only form that routing, authorization, handlers, audit and aggregation use. Undefined if the target is not a
 * URL. Does not check that the resource is served: requests for unknown resources are authorized too.
 */
export function readRequestInfo(method: string, target: string): RequestInfo | undefined {
  const line = readRequestLine(method, target);
  return line && Object.freeze(interpret(line));
}

/** Determines verb and resource of a request line from the layout of Kubernetes paths: `/api/v1/…`, `/apis/<group>/<version>/…`. */
function interpret(line: RequestLine): RequestInfo {
  const { method, path, query } = line;
  const trimmed = trimSlashes(path);
  const parts = trimmed === "" ? [] : trimmed.split("/");
  const groupless = parts[0] === "api";
  const headLength = groupless ? 2 : 3;
  if ((!groupless && parts[0] !== "apis") || parts.length <= headLength) {
    return { ...line, isResource: false, verb: method.toLowerCase() };
  }
  const group = groupless ? "" : (parts[1] ?? "");
  const version = parts[headLength - 1] ?? "";
  const verbInPath = parts[headLength] === "watch" || parts[headLength] === "proxy";
  let rest = parts.slice(verbInPath ? headLength + 1 : headLength);
  if (rest.length === 0) {
    return { ...line, isResource: false, verb: method.toLowerCase(), unclear: true };
  }
  let verb: RequestVerb = verbInPath ? (parts[headLength] as "watch" | "proxy") : (VERB_OF_METHOD.get(method) ?? "");
  const inNamespace = rest[0] === "namespaces" && rest.length > 2 && !NAMESPACE_SUBRESOURCES.has(rest[2] ?? "");
  // Kubernetes treats any resource named `namespaces` as a namespace; here only that of the core group is one.
  const isNamespace = !inNamespace && group === "" && rest[0] === "namespaces";
  const namespace = inNamespace || isNamespace ? (rest[1] ?? "") : "";
  if (inNamespace) rest = rest.slice(2);
  const [resource = "", pathName = "", subresource = "", ...more] = rest;
  if (pathName === "" && verb === "get") {
    verb = booleanParameter(query, "watch") ? "watch" : "list";
  } else if (pathName === "" && verb === "delete") {
    verb = "deletecollection";
  }
  const selectors = readSelectors(verb, query);
  const named = pathName !== "";
  const isCollection = !named && !verbInPath && (verb === "list" || verb === "watch");
  return {
    ...line,
    isResource: true,
    verb,
    verbInPath,
    group,
    version,
    namespace,
    inNamespace,
    resource,
    subresource,
    name: isCollection ? selectedName(selectors, query) : pathName,
    named,
    selectors,
    rest: more,
  };
}

const NO_SELECTORS: RequestSelectors = Object.freeze({});

function readSelectors(verb: RequestVerb, query: RequestQuery): RequestSelectors {
  if (verb !== "list" && verb !== "watch" && verb !== "deletecollection") return NO_SELECTORS;
  const fields = query.get("fieldSelector");
  const labels = query.get("labelSelector");
  if (fields === null && labels === null) return NO_SELECTORS;
  return Object.freeze({
    ...(fields !== null && { fieldSelector: parseSelector(fields, parseFieldSelector) }),
    ...(labels !== null && { labelSelector: parseSelector(labels, parseLabelSelector) }),
  });
}

function parseSelector<T>(text: string, parse: (text: string) => readonly T[]): ParsedSelector<T> {
  try {
    return Object.freeze({ requirements: Object.freeze(parse(text)) });
  } catch (error) {
    if (error instanceof SelectorSyntaxError) return Object.freeze({ error });
    throw error;
  }
}

/** Kubernetes parses all options of a list together: if one of them is invalid, all are ignored. */
function hasReadableNumbers(query: RequestQuery): boolean {
  return ["limit", "timeoutSeconds"].every((name) => typeof parseGoInt(query.get(name) ?? "0") === "bigint");
}

/** A list restricted to one name by a field selector is authorized as a request for that name. */
function selectedName({ fieldSelector, labelSelector }: RequestSelectors, query: RequestQuery): string {
  if (!hasReadableNumbers(query)) return "";
  if (fieldSelector === undefined || fieldSelector.error !== undefined || labelSelector?.error !== undefined) return "";
  const name = fieldSelector.requirements.find(({ field, equal }) => equal && field === "metadata.name")?.value ?? "";
  return checkPathSegment(name).length === 0 ? name : "";
}
