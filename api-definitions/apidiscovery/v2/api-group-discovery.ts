import type { GroupVersionKind } from "../../meta/v1/names.ts";
import type { ListOf, Namespaced } from "../../meta/v1/type-meta.ts";
import { kind, type ListMap, type ListSet, type OmitZero, type Open } from "../../vocabulary.ts";

/** A group with all its versions and resources. */
export interface APIGroupDiscovery extends Namespaced {
  /** Its versions, best first. */
  versions?: ListMap<APIVersionDiscovery, "version">;
}

/** A version and its resources. */
export interface APIVersionDiscovery {
  /** The version. */
  version: string;
  /** The resources. */
  resources?: ListMap<APIResourceDiscovery, "resource">;
  /** Whether the list is current. */
  freshness?: DiscoveryFreshness & OmitZero;
}

export type DiscoveryFreshness = Open<"Current" | "Stale">;

/** A resource. */
export interface APIResourceDiscovery {
  /** Plural name, as it stands in paths. */
  resource: string;
  /** Kind of its objects. */
  responseKind?: GroupVersionKind;
  /** Whether its objects live in namespaces. */
  scope: ResourceScope;
  /** Singular name. */
  singularResource: string;
  /** What can be done with it. */
  verbs: ListSet<string>;
  /** Shorter names for the command line. */
  shortNames?: ListSet<string>;
  /** Sets it belongs to, such as `all`. */
  categories?: ListSet<string>;
  /** What hangs below it. */
  subresources?: ListMap<APISubresourceDiscovery, "subresource">;
}

export type ResourceScope = Open<"Cluster" | "Namespaced">;

/** A subresource. */
export interface APISubresourceDiscovery {
  /** Its name. */
  subresource: string;
  /** Kind of the answer. */
  responseKind?: GroupVersionKind;
  /** Kinds it takes. */
  acceptedTypes?: ListMap<GroupVersionKind, "group", "version", "kind">;
  /** What can be done with it. */
  verbs: ListSet<string>;
}

/** All groups with their versions and resources, in one document. */
export type APIGroupDiscoveryList = ListOf<APIGroupDiscovery>;

export const apiGroupDiscovery = kind<APIGroupDiscovery>({ unserved: true, introduced: "1.30" });

export const apiGroupDiscoveryList = kind<APIGroupDiscoveryList>({ unserved: true, introduced: "1.30" });
