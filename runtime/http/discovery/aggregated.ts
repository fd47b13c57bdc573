import type { RemoteEntries } from "../../aggregation/remote-discovery.ts";
import type {
  GroupVersionKind,
  ResourceDescriptor,
  SubresourceDescriptor,
} from "../../contract/resource-descriptor.ts";
import { stringifyJson } from "../../encoding/json/stringify-json.ts";
import type { ApiSurface } from "../../kinds/api-surface.ts";
import type { SurfaceGroup } from "../../kinds/resource-entry.ts";
import type { Steps } from "../../lib/in-turns.ts";
import { listedSubresources } from "./legacy.ts";
import { offeredVerbs } from "./offered-verbs.ts";

export interface DiscoverySources {
  readonly surface: ApiSurface;
  readonly remote: RemoteEntries;
}

/** All groups below `/api` or `/apis`, with their versions and resources, in one document. */
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

/** JSON of resources. Descriptors never change: a resource keeps its descriptor as long as it is served. */
const printed = new WeakMap<ResourceDescriptor, string>();

/** Like `aggregatedDiscovery`, as JSON in pieces. Reuses the JSON of resources that have not changed. */
export function* aggregatedJson(
  groups: readonly SurfaceGroup[],
  sources: DiscoverySources,
  core: boolean,
  apiVersion: string,
): Steps<Buffer[]> {
  const pieces: Buffer[] = [];
  const opening = stringifyJson({ kind: "APIGroupDiscoveryList", apiVersion, metadata: {} });
  let text = `${opening.slice(0, -1)},"items":[`;
  let before = "";
  for (const group of groups) {
    if ((group.name === "") !== core) continue;
    const versions = versionsOf(group).flatMap((version) => versionJson(group.name, version, sources));
    if (versions.length === 0) continue;
    text += `${before}{"metadata":${stringifyJson(metadataOf(group))},"versions":[${versions.join()}]}`;
    before = ",";
    if (text.length > PIECE) {
      pieces.push(Buffer.from(text));
      text = "";
    }
    yield;
  }
  pieces.push(Buffer.from(`${text}]}\n`));
  return pieces;
}

function versionJson(group: string, version: string, sources: DiscoverySources): string[] {
  if (sources.remote(group, version) !== "local")
    return versionItem(group, version, sources).map((item) => stringifyJson(item));
  const resources = sources.surface.resourcesOf(group, version).map((resource) => {
    const known = printed.get(resource) ?? stringifyJson(resourceItem(resource));
    printed.set(resource, known);
    return known;
  });
  return [`{"version":${stringifyJson(version)},"resources":[${resources.join()}],"freshness":"Current"}`];
}

/** Like `aggregatedDiscovery`, as a protobuf message in pieces: one for the list itself, then one for each group. */
export function* aggregatedMessage(
  groups: readonly SurfaceGroup[],
  sources: DiscoverySources,
  core: boolean,
  encode: (list: Record<string, unknown>) => Uint8Array,
): Steps<Uint8Array[]> {
  const list = { metadata: {}, items: [] };
  // Concatenating the encodings of two lists merges the lists. The fields that all pieces have in common are written once.
  const common = encode(list);
  const pieces = [common];
  for (const group of groups) {
    if ((group.name === "") !== core) continue;
    const item = groupItem(group, sources);
    if (item.versions.length > 0) pieces.push(encode({ ...list, items: [item] }).subarray(common.length));
    yield;
  }
  return pieces;
}

/** Approximate number of characters of a piece. */
const PIECE = 64 * 1024;

function metadataOf({ name }: SurfaceGroup) {
  return { ...(name !== "" && { name }), creationTimestamp: null };
}

/** The versions of a group, with the preferred one first. */
function versionsOf({ versions, preferredVersion }: SurfaceGroup): string[] {
  return [...versions].sort((a, b) => Number(b === preferredVersion) - Number(a === preferredVersion));
}

function groupItem(group: SurfaceGroup, sources: DiscoverySources) {
  return {
    metadata: metadataOf(group),
    versions: versionsOf(group).flatMap((version) => versionItem(group.name, version, sources)),
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
      subresources: listedSubresources(resource).map((subresource) => subresourceItem(resource, subresource)),
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

/** Group and version are set only for custom kinds, or if they differ from those of the resource. */
function responseKind(kind: GroupVersionKind, resource: ResourceDescriptor) {
  const isNamed = resource.custom !== undefined || kind.group !== resource.group || kind.version !== resource.version;
  return {
    group: isNamed ? kind.group : "",
    version: isNamed ? kind.version : "",
    kind: kind.kind,
  };
}
