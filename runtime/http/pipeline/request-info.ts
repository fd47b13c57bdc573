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

/** Subresources of a namespace: `/namespaces/<name>/status` is not a collection inside the namespace. */
const NAMESPACE_SUBRESOURCES = new Set(["status", "finalize"]);

/**
 * The one parsed form of a request: routing, authorization, handlers, audit and aggregation use it. Undefined for a
 * target that is not a URL. Not compared with the served resources: requests for unknown ones are authorized, too.
 */
export function readRequestInfo(method: string, target: string): RequestInfo | undefined {
  const line = readRequestLine(method, target);
  return line && Object.freeze(interpret(line));
}

/** Finds verb and resource in a request line by the layout of Kubernetes paths: `/api/v1/…`, `/apis/<group>/<version>/…`. */
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
  // Kubernetes takes any resource called `namespaces` for a namespace; here only the core group's is one.
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

/** Kubernetes reads all options of a list at once: if one of them cannot be read, none counts. */
function hasReadableNumbers(query: RequestQuery): boolean {
  return ["limit", "timeoutSeconds"].every((name) => typeof parseGoInt(query.get(name) ?? "0") === "bigint");
}

/** A list narrowed to one name is authorized as a request for that name. */
function selectedName({ fieldSelector, labelSelector }: RequestSelectors, query: RequestQuery): string {
  if (!hasReadableNumbers(query)) return "";
  if (fieldSelector === undefined || fieldSelector.error !== undefined || labelSelector?.error !== undefined) return "";
  const name = fieldSelector.requirements.find(({ field, equal }) => equal && field === "metadata.name")?.value ?? "";
  return checkPathSegment(name).length === 0 ? name : "";
}
