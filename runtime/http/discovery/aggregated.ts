import type { RemoteEntries } from "../../aggregation/remote-discovery.ts";
import type {
  GroupVersionKind,
  ResourceDescriptor,
  SubresourceDescriptor,
} from "../../contract/resource-descriptor.ts";
import type { ApiSurface } from "../../kinds/api-surface.ts";
import type { SurfaceGroup } from "../../kinds/resource-entry.ts";
import { offeredVerbs } from "./offered-verbs.ts";

export interface DiscoverySources {
  readonly surface: ApiSurface;
  readonly remote: RemoteEntries;
}

/** All groups below `/api` or `/apis` with their versions and resources, in one document. */
export function aggregatedDiscovery(
  groups: readonly SurfaceGroup[],
  sources: DiscoverySources,
  core: boolean,
  apiVersion: string,
) {
  return {
    kind: "APIGroupDiscoveryList",
    apiVersion,
    metadata: {},
    items: groups
      .filter((group) => (group.name === "") === core)
      .map((group) => groupItem(group, sources))
      .filter(({ versions }) => versions.length > 0),
  };
}

function groupItem(group: SurfaceGroup, sources: DiscoverySources) {
  return {
    metadata: { ...(group.name !== "" && { name: group.name }), creationTimestamp: null },
    versions: [...group.versions]
      .sort((a, b) => Number(b === group.preferredVersion) - Number(a === group.preferredVersion))
      .flatMap((version) => versionItem(group.name, version, sources)),
  };
}

function versionItem(group: string, version: string, { surface, remote }: DiscoverySources): object[] {
  const entry = remote(group, version);
  if (entry === undefined) return [];
  if (entry === "local") {
    return [{ version, resources: surface.resourcesOf(group, version).map(resourceItem), freshness: "Current" }];
  }
  const { resources, freshness } = entry;
  return [{ version, ...(resources.length > 0 && { resources }), freshness }];
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

/** Group and version are set only if they differ from those of the resource. */
function responseKind(kind: GroupVersionKind, resource: ResourceDescriptor) {
  const elsewhere = kind.group !== resource.group || kind.version !== resource.version;
  return {
    group: elsewhere ? kind.group : "",
    version: elsewhere ? kind.version : "",
    kind: kind.kind,
  };
}
