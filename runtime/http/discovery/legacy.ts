import { createHash } from "node:crypto";
import { apiVersionOf } from "../../contract/group-version.ts";
import {
  DEFAULT_GROUP_PRIORITY,
  type ResourceDescriptor,
  type SubresourceDescriptor,
} from "../../contract/resource-descriptor.ts";
import type { ApiSurface } from "../../kinds/api-surface.ts";
import type { SurfaceGroup } from "../../kinds/resource-entry.ts";
import { offeredVerbs } from "./offered-verbs.ts";

/** Content of `/api`: the versions of the core group, and the address of the server. */
export function coreVersions(surface: ApiSurface, serverAddress: string) {
  return {
    kind: "APIVersions",
    versions: surface.group("")?.versions ?? [],
    serverAddressByClientCIDRs: [{ clientCIDR: "0.0.0.0/0", serverAddress }],
  };
}

/** Content of `/apis`: all named groups in descending priority. Groups of equal priority are ordered by the first of their APIService names. */
export function groupList(groups: readonly SurfaceGroup[]) {
  const priority = (group: SurfaceGroup): number => group.priority ?? DEFAULT_GROUP_PRIORITY;
  const first = ({ name, versions }: SurfaceGroup): string =>
    versions.map((version) => `${version}.${name}`).sort()[0] ?? "";
  return {
    kind: "APIGroupList",
    apiVersion: "v1",
    groups: groups
      .filter((group) => group.name !== "")
      .map((group) => ({ group, priority: priority(group), first: first(group) }))
      .sort((a, b) => b.priority - a.priority || (a.first < b.first ? -1 : 1))
      .map(({ group }) => groupBody(group)),
  };
}

/** Content of `/apis/<group>`. */
export function groupDocument(group: SurfaceGroup) {
  return { kind: "APIGroup", apiVersion: "v1", ...groupBody(group) };
}

function groupBody(group: SurfaceGroup) {
  const version = (name: string) => ({
    groupVersion: apiVersionOf({ group: group.name, version: name }),
    version: name,
  });
  return {
    name: group.name,
    versions: group.versions.map(version),
    preferredVersion: version(group.preferredVersion),
  };
}

/**
 * Content of `/api/v1` and `/apis/<group>/<version>`. Custom kinds have hashes of their stored versions; others only if `hashesVersions`.
 * The list of the core group has no apiVersion, as in Kubernetes.
 */
export function resourceList(surface: ApiSurface, group: string, version: string, hashesVersions: boolean) {
  return {
    kind: "APIResourceList",
    ...(group !== "" && { apiVersion: "v1" }),
    groupVersion: apiVersionOf({ group, version }),
    resources: surface
      .resourcesOf(group, version)
      .flatMap((resource) => [
        resourceEntry(resource, hashesVersions),
        ...listedSubresources(resource).map((subresource) => subresourceEntry(resource, subresource)),
      ]),
  };
}

/** Subresources sorted by name. For a custom kind the order is reversed: `status` precedes `scale`. */
export function listedSubresources({ subresources, custom }: ResourceDescriptor): SubresourceDescriptor[] {
  const sorted = [...subresources].sort((a, b) => (a.name < b.name ? -1 : 1));
  return custom === undefined ? sorted : sorted.reverse();
}

function resourceEntry(resource: ResourceDescriptor, hashesVersions: boolean) {
  const hasHash = !resource.virtual && (hashesVersions || resource.custom !== undefined);
  return {
    name: resource.resource,
    singularName: resource.singular,
    namespaced: resource.namespaced,
    kind: resource.kind,
    verbs: offeredVerbs(resource),
    ...(resource.shortNames.length > 0 && { shortNames: resource.shortNames }),
    ...(resource.categories.length > 0 && { categories: resource.categories }),
    ...(hasHash && { storageVersionHash: storageVersionHash(resource) }),
  };
}

function subresourceEntry(resource: ResourceDescriptor, subresource: SubresourceDescriptor) {
  const { group, version, kind } = subresource.kind;
  const elsewhere = group !== resource.group || version !== resource.version;
  return {
    name: `${resource.resource}/${subresource.name}`,
    singularName: "",
    namespaced: resource.namespaced,
    ...(elsewhere && group !== "" && { group }),
    ...(elsewhere && { version }),
    kind,
    verbs: subresource.verbs,
  };
}

/** For these kinds, kube-apiserver hashes another version than the one in which it stores them. */
const HASHED_VERSIONS: ReadonlyMap<string, string> = new Map([
  ["apiextensions.k8s.io/v1/CustomResourceDefinition", "apiextensions.k8s.io/v1beta1/CustomResourceDefinition"],
]);

/** Identifies the version in which objects are stored, for storage migrators. */
function storageVersionHash({ storage }: Pick<ResourceDescriptor, "storage">): string {
  const stored = `${storage.group}/${storage.version}/${storage.kind}`;
  const text = HASHED_VERSIONS.get(stored) ?? stored;
  return createHash("sha256").update(text).digest().subarray(0, 8).toString("base64");
}
