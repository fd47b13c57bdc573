import type {
  GroupVersionKind,
  ResourceDescriptor,
  SubresourceDescriptor,
} from "../../contract/resource-descriptor.ts";
import type { ApiSurface, SurfaceGroup } from "../api-surface.ts";
import { offeredVerbs } from "./offered-verbs.ts";

/** All groups below `/api` or `/apis` with their versions and resources, in one document. */
export function aggregatedDiscovery(surface: ApiSurface, core: boolean, apiVersion: string) {
  return {
    kind: "APIGroupDiscoveryList",
    apiVersion,
    metadata: {},
    items: surface.groups.filter((group) => (group.name === "") === core).map((group) => groupItem(surface, group)),
  };
}

function groupItem(surface: ApiSurface, group: SurfaceGroup) {
  return {
    metadata: { ...(group.name !== "" && { name: group.name }), creationTimestamp: null },
    versions: [...group.versions]
      .sort((a, b) => Number(b === group.preferredVersion) - Number(a === group.preferredVersion))
      .map((version) => ({
        version,
        resources: surface.resourcesOf(group.name, version).map(resourceItem),
        freshness: "Current",
      })),
  };
}

function resourceItem(resource: ResourceDescriptor) {
  return {
    resource: resource.resource,
    responseKind: responseKind(resource, resource),
    scope: resource.namespaced ? "Namespaced" : "Cluster",
    singularResource: resource.singular,
    verbs: offeredVerbs(resource),
    ...(resource.shortNames.length > 0 && { shortNames: resource.shortNames }),
    ...(resource.categories.length > 0 && { categories: resource.categories }),
    ...(resource.subresources.length > 0 && {
      subresources: [...resource.subresources]
        .sort((a, b) => (a.name < b.name ? -1 : 1))
        .map((subresource) => subresourceItem(resource, subresource)),
    }),
  };
}

function subresourceItem(resource: ResourceDescriptor, subresource: SubresourceDescriptor) {
  return {
    subresource: subresource.name,
    responseKind: responseKind(subresource.kind, resource),
    verbs: subresource.verbs,
  };
}

/** Group and version are only told where they are not those of the resource. */
function responseKind(kind: GroupVersionKind, resource: ResourceDescriptor) {
  const elsewhere = kind.group !== resource.group || kind.version !== resource.version;
  return {
    group: elsewhere ? kind.group : "",
    version: elsewhere ? kind.version : "",
    kind: kind.kind,
  };
}
