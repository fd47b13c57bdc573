import type { Verb } from "./resource-descriptor.ts";
import type { FieldRequirement, LabelRequirement } from "./selector.ts";

/** The parameters of a query. Of a repeated one Kubernetes reads the first value, which `get` gives. */
export interface RequestQuery {
  get(name: string): string | null;
  getAll(name: string): readonly string[];
  has(name: string): boolean;
}

/** The first line of a request, read once. */
export interface RequestLine {
  readonly method: string;
  /** The request target as the client sent it: for audit events and messages, never to be parsed again. */
  readonly uri: string;
  /** Percent-decoded, without the query. */
  readonly path: string;
  readonly query: RequestQuery;
  /** The terms of the query that were read, still escaped: what another server is sent. */
  readonly queryText: string;
}

/** A selector of the query: its requirements, or why it has none. */
export type ParsedSelector<T> =
  | { readonly requirements: readonly T[]; readonly error?: undefined }
  | { readonly requirements?: undefined; readonly error: Error };

/** The selectors of a collection request; absent where the query has none. */
export interface RequestSelectors {
  readonly fieldSelector?: ParsedSelector<FieldRequirement>;
  readonly labelSelector?: ParsedSelector<LabelRequirement>;
}

/**
 * Empty for a method that no resource answers. `proxy` is a path prefix of old releases: nothing answers it, but it is
 * authorized before it is refused.
 */
export type RequestVerb = Verb | "proxy" | "";

/** A request outside the API groups: `/version`, `/healthz`, discovery. The verb is the method in lower case. */
export interface PathRequestInfo extends RequestLine {
  readonly isResource: false;
  readonly verb: string;
  /** Whether the path begins as those of resources do and ends before it names one. */
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
  /** Whether `/namespaces/<namespace>` stands before the resource. */
  readonly inNamespace: boolean;
  readonly resource: string;
  readonly subresource: string;
  /** From the path, or from a field selector on `metadata.name` where the path has none. */
  readonly name: string;
  /** Whether the name stands in the path. */
  readonly named: boolean;
  /** Of list, watch and deletecollection: what the authorizer sees is what the handler selects by. */
  readonly selectors: RequestSelectors;
  /** What follows a subresource: the path a proxy request goes to. */
  readonly rest: readonly string[];
}

/** What a request asks for. It is read once and frozen; nothing else of the request line is looked at afterwards. */
export type RequestInfo = PathRequestInfo | ResourceRequestInfo;
