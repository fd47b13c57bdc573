import type { Verb } from "./resource-descriptor.ts";

/** Empty for a method that no resource answers. */
/** `proxy` is what paths meant that Kubernetes has left behind: nothing answers them, yet who asks must be allowed to. */
export type RequestVerb = Verb | "proxy" | "";

/** A request outside the API groups: `/version`, `/healthz`, discovery. The verb is the method in lower case. */
export interface PathRequestInfo {
  readonly isResource: false;
  readonly path: string;
  readonly verb: string;
  /** Whether the path begins as those of resources do and ends before it names one. */
  readonly unclear?: true;
}

export interface ResourceRequestInfo {
  readonly isResource: true;
  readonly path: string;
  readonly verb: RequestVerb;
  readonly group: string;
  readonly version: string;
  /** Empty for cluster-scoped resources and requests across all namespaces. */
  readonly namespace: string;
  readonly resource: string;
  readonly subresource: string;
  /** From the path, or from a field selector on `metadata.name` where the path has none. */
  readonly name: string;
  /** Whether the name stands in the path. */
  readonly named: boolean;
  /** What follows a subresource: the path a proxy request goes to. */
  readonly rest: readonly string[];
}

export type RequestInfo = PathRequestInfo | ResourceRequestInfo;
