import type { GroupVersionKind } from "../../meta/v1/names.ts";
import type { ListOf, Namespaced } from "../../meta/v1/type-meta.ts";
import { kind, type ListMap, type ListSet, type OmitZero, type Open } from "../../vocabulary.ts";

/** A group with all its versions and resources. */
export interface APIGroupDiscovery extends Namespaced {
  versions?: ListMap<APIVersionDiscovery, "version">;
}

export interface APIVersionDiscovery {
  version: string;
  resources?: ListMap<APIResourceDiscovery, "resource">;
  freshness?: DiscoveryFreshness & OmitZero;
}

export type DiscoveryFreshness = Open<"Current" | "Stale">;

export interface APIResourceDiscovery {
  resource: string;
  responseKind?: GroupVersionKind;
  scope: ResourceScope;
  singularResource: string;
  verbs: ListSet<string>;
  shortNames?: ListSet<string>;
  categories?: ListSet<string>;
  subresources?: ListMap<APISubresourceDiscovery, "subresource">;
}

export type ResourceScope = Open<"Cluster" | "Namespaced">;

export interface APISubresourceDiscovery {
  subresource: string;
  responseKind?: GroupVersionKind;
  acceptedTypes?: ListMap<GroupVersionKind, "group", "version", "kind">;
  verbs: ListSet<string>;
}

/** All groups with their versions and resources, in one document. */
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
