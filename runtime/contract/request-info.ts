import type { Verb } from "./resource-descriptor.ts";
import type { FieldRequirement, LabelRequirement } from "./selector.ts";

/** The query parameters. `get` returns the first value of a repeated parameter, as in Kubernetes. */
export interface RequestQuery {
  get(name: string): string | null;
  getAll(name: string): readonly string[];
  has(name: string): boolean;
}

/** The request line, parsed once. */
export interface RequestLine {
  readonly method: string;
  /** The request target as the client sent it. For audit events and messages; must not be parsed again. */
  readonly uri: string;
  /** Percent-decoded, without the query. */
  readonly path: string;
  readonly query: RequestQuery;
  /** The parsed terms of the query, still escaped, for forwarding to another server. */
  readonly queryText: string;
}

/** A selector of the query: its requirements, or the parse error. */
export type ParsedSelector<T> =
  | { readonly requirements: readonly T[]; readonly error?: undefined }
  | { readonly requirements?: undefined; readonly error: Error };

/** The selectors of a collection request. Absent if the query has none. */
export interface RequestSelectors {
  readonly fieldSelector?: ParsedSelector<FieldRequirement>;
  readonly labelSelector?: ParsedSelector<LabelRequirement>;
}

/**
 * Verb of a resource request. Empty for a method that no resource supports. `proxy` is a path prefix of old releases: it is not supported, but
 * is authorized before it is rejected.
 */
export type RequestVerb = Verb | "proxy" | "";

/** A request outside the API groups: `/version`, `/healthz`, discovery. The verb is the method in lower case. */
export interface PathRequestInfo extends RequestLine {
  readonly isResource: false;
  readonly verb: string;
  /** Whether the path begins like that of a resource but is too short to name one. */
  readonly unclear?: true;
}

export interface ResourceRequestInfo extends RequestLine {
  readonly isResource: true;
  readonly verb: RequestVerb;
  /** Whether the verb is a path prefix: `/api/v1/watch/pods`. */
  readonly verbInPath: boolean;
  readonly group: string;
  readonly version: string;
  /** Empty for cluster-scoped resources and requests across all namespaces. A core Namespace is in the namespace of its own name. */
  readonly namespace: string;
  /** Whether the path has `/namespaces/<namespace>` before the resource. */
  readonly inNamespace: boolean;
  readonly resource: string;
  readonly subresource: string;
  /** The name in the path, or else from a field selector on `metadata.name`. */
  readonly name: string;
  /** Whether the path contains the name. */
  readonly named: boolean;
  /** Selectors of list, watch and deletecollection. The authorizer and the handler use the same ones. */
  readonly selectors: RequestSelectors;
  /** The path after the subresource, to which a proxy request is forwarded. */
  readonly rest: readonly string[];
}

/** The parsed request line. It is parsed once and frozen. Later code must not parse the request line again. */
export type RequestInfo = PathRequestInfo | ResourceRequestInfo;
