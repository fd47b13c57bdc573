import type { GroupVersionKind } from "../../meta/v1/names.ts";
import type { ListOf, Namespaced } from "../../meta/v1/type-meta.ts";
import { kind, type ListMap, type ListSet, type OmitZero, type Open } from "../../vocabulary.ts";

/**
 * API group with all its versions and their resources. `metadata.name` is the name of the group, empty for the core
 * group.
 */
export interface APIGroupDiscovery extends Namespaced {
  /** Served versions of the group, in order of preference: the first one is the preferred version. */
  versions?: ListMap<APIVersionDiscovery, "version">;
}

/** Version of an API group with its resources. */
export interface APIVersionDiscovery {
  /** Name of the version, such as `v1`. */
  version: string;
  /** Resources that are served in this version. */
  resources?: ListMap<APIResourceDiscovery, "resource">;
  /** Whether the list of resources is up to date. Matters for versions that an extension API server serves. */
  freshness?: DiscoveryFreshness & OmitZero;
}

export type DiscoveryFreshness = Open<
  /** The list of resources was read recently. */
  | "Current"
  /** The server of this version did not answer: the list of resources may be outdated or empty. */
  | "Stale"
>;

/** Resource that is served in a version of an API group. */
export interface APIResourceDiscovery {
  /** Plural name of the resource, as used in URLs, such as `deployments`. */
  resource: string;
  /** Group, version and kind of the objects of the resource. Unset if only subresources are served. */
  responseKind?: GroupVersionKind;
  /** Whether objects of the resource belong to a namespace. */
  scope: ResourceScope;
  /** Singular name of the resource, accepted by kubectl, such as `deployment`. */
  singularResource: string;
  /**
   * Verbs that the resource supports, such as `create`, `delete`, `deletecollection`, `get`, `list`, `patch`, `update`
   * and `watch`.
   */
  verbs: ListSet<string>;
  /** Short names that kubectl accepts for the resource, such as `deploy`. */
  shortNames?: ListSet<string>;
  /** Groups of resources that the resource belongs to, such as `all`: `kubectl get all` lists them together. */
  categories?: ListSet<string>;
  /** Subresources that are served for objects of the resource. */
  subresources?: ListMap<APISubresourceDiscovery, "subresource">;
}

export type ResourceScope = Open<
  /** Objects exist once in the cluster and have no namespace. */
  | "Cluster"
  /** Every object belongs to a namespace. */
  | "Namespaced"
>;

/** Subresource of a resource, such as `status` or `scale`. */
export interface APISubresourceDiscovery {
  /** Name of the subresource, without the name of the resource, such as `status`. */
  subresource: string;
  /**
   * Group, version and kind that the subresource returns; may differ from that of the resource. Unset if it returns no
   * object.
   */
  responseKind?: GroupVersionKind;
  /**
   * Group, version and kind of the objects that the subresource accepts in requests, if they differ from
   * `responseKind`.
   */
  acceptedTypes?: ListMap<GroupVersionKind, "group", "version", "kind">;
  /** Verbs that the subresource supports, such as `get`, `patch` and `update`. */
  verbs: ListSet<string>;
}

/**
 * All API groups with their versions and resources in one document. `/api` and `/apis` return it to clients that accept
 * this type, which saves a request for each group and version.
 */
export type APIGroupDiscoveryList = ListOf<APIGroupDiscovery>;

export const apiGroupDiscovery = kind<APIGroupDiscovery>({
  unserved: true,
  introduced: "1.26",
  deprecated: "1.32",
  removed: "1.35",
});

export const apiGroupDiscoveryList = kind<APIGroupDiscoveryList>({
  unserved: true,
  introduced: "1.26",
  deprecated: "1.32",
  removed: "1.35",
});
