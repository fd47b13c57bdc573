import {
  type ApiCatalogue,
  DEFAULT_GROUP_PRIORITY,
  type GroupDescriptor,
  type GroupVersionKind,
  type Lifecycle,
  type Release,
  type ResourceDescriptor,
} from "../contract/resource-descriptor.ts";
import { calendarOf, type DialedRelease, dialRelease, type ReleasePair } from "./calendar.ts";
import { compareReleases, ReleaseError } from "./release.ts";
import { emptyRuntimeConfig, type RuntimeConfig, runtimeConfigFor } from "./runtime-config.ts";
import { compareVersionNames, stabilityOf } from "./version-name.ts";

/** The API that a server serves: the catalogue at a release, without the parts that the operator disabled. */
export interface ServedApi {
  readonly release: DialedRelease;
  readonly groups: readonly ServedGroup[];
  /** In the order of the catalogue. */
  readonly resources: readonly ResourceDescriptor[];
  /** Returns the version in which new writes of a resource are stored at this release. Its hub is one of the versions to which it converts. */
  readonly storageVersionOf: (resource: ResourceDescriptor) => GroupVersionKind;
}

export interface ServedGroup {
  readonly name: string;
  /** Most preferred first. */
  readonly versions: readonly string[];
  /** Advances one release after a newer version is first served (docs/versioning.md, "Rollback"). */
  readonly preferredVersion: string;
  /** If several groups contain a resource, clients use the group with the highest priority. */
  readonly priority: number;
}

export interface ServedOptions {
  /** A release of the project; the current one by default. */
  readonly release?: Release;
  readonly runtimeConfig?: RuntimeConfig;
  /** Whether a feature gate is enabled; by default all are. */
  readonly isEnabled?: (gate: string) => boolean;
}

/** Betas that were served before this release remain enabled by default, and so do their later betas (docs/versioning.md, "What is served"). */
const newBetasOffSince: Release = "1.22";

export function selectServed(catalogue: ApiCatalogue, options: ServedOptions = {}): ServedApi {
  const release = dialRelease(catalogue, options.release);
  const exists = existence(catalogue);
  const config = options.runtimeConfig ?? emptyRuntimeConfig;
  const oldBetas = resourcesWithOldBetas(catalogue);
  const kubernetes = new Set(catalogue.groups.filter((group) => group.kubernetes).map(({ name }) => name));
  const isOn = (resource: ResourceDescriptor) =>
    runtimeConfigFor(config, resource) ??
    (kubernetes.has(resource.group) ? isOnByDefault(resource, oldBetas) : resource.offByDefault !== true);
  const isEnabled = options.isEnabled ?? (() => true);
  const resources = catalogue.resources
    .filter((resource) => exists(resource, release) && isOn(resource))
    .filter(({ gate }) => gate === undefined || isEnabled(gate))
    .map((resource) => withoutGated(resource, isEnabled));
  if (!catalogue.resources.some((resource) => exists(resource, release)))
    throw new ReleaseError(`release ${release.own} serves nothing: the definitions know ${knownReleases(catalogue)}`);
  if (resources.length === 0) throw new ReleaseError("--runtime-config disables every API version");
  const storage = new Map<string, GroupVersionKind>();
  return {
    release,
    resources,
    groups: servedGroups(catalogue, resources, release, exists),
    storageVersionOf: (resource) => {
      const key = `${resource.storage.group}/${resource.storage.kind}`;
      const known = storage.get(key) ?? storageVersion(catalogue, resource, release, exists);
      storage.set(key, known);
      return known;
    },
  };
}

/** Returns a resource without the subresources of disabled features; the same object if there are none. */
function withoutGated(resource: ResourceDescriptor, isEnabled: (gate: string) => boolean): ResourceDescriptor {
  const isOff = ({ gate }: { readonly gate?: string }) => gate !== undefined && !isEnabled(gate);
  if (!resource.subresources.some(isOff)) return resource;
  return { ...resource, subresources: resource.subresources.filter((each) => !isOff(each)) };
}

/** Whether a resource exists at a release, in the calendar of its group. */
type Exists = (resource: ResourceDescriptor, release: ReleasePair) => boolean;

function existence(catalogue: ApiCatalogue): Exists {
  const calendar = calendarOf(catalogue);
  return ({ group, lifecycle }, release) => existsAt(lifecycle, release[calendar(group)]);
}

/** Whether it is introduced and not yet removed. Kinds without declarations exist in all releases. */
function existsAt(lifecycle: Lifecycle, release: Release): boolean {
  const { introduced, removed } = lifecycle;
  return (
    (introduced === undefined || compareReleases(introduced, release) <= 0) &&
    (removed === undefined || compareReleases(release, removed) < 0)
  );
}

/** Implements the rule for Kubernetes' own groups. Kinds of other groups are served unless they declare `offByDefault`. */
function isOnByDefault(resource: ResourceDescriptor, oldBetas: ReadonlySet<string>): boolean {
  const stability = stabilityOf(resource.version);
  if (stability === "stable") return true;
  return stability === "beta" && oldBetas.has(`${resource.group}/${resource.resource}`);
}

function resourcesWithOldBetas(catalogue: ApiCatalogue): Set<string> {
  const found = new Set<string>();
  for (const resource of catalogue.resources) {
    const { introduced } = resource.lifecycle;
    if (stabilityOf(resource.version) !== "beta" || introduced === undefined) continue;
    if (compareReleases(introduced, newBetasOffSince) < 0) found.add(`${resource.group}/${resource.resource}`);
  }
  return found;
}

function servedGroups(
  catalogue: ApiCatalogue,
  resources: readonly ResourceDescriptor[],
  release: DialedRelease,
  exists: Exists,
): ServedGroup[] {
  const calendar = calendarOf(catalogue);
  const groups: ServedGroup[] = [];
  for (const group of catalogue.groups) {
    const inGroup = resources.filter((resource) => resource.group === group.name);
    const versions = group.versions.filter((version) => inGroup.some((resource) => resource.version === version));
    if (versions.length === 0) continue;
    const settled = versions.find((version) =>
      inGroup.some((resource) => resource.version === version && exists(resource, release.previous)),
    );
    const priority = priorityAt(group, release[calendar(group.name)]);
    groups.push({ name: group.name, versions, preferredVersion: settled ?? versions[0]!, priority });
  }
  return groups;
}

function priorityAt({ priority, formerPriority: former }: GroupDescriptor, release: Release): number {
  const isFormer = former !== undefined && compareReleases(release, former.until) < 0;
  return (isFormer ? former.priority : priority) ?? DEFAULT_GROUP_PRIORITY;
}

/** Returns the catalogue's own hub at its own release; at other releases the best version that exists in this and the previous release. */
function storageVersion(
  catalogue: ApiCatalogue,
  resource: ResourceDescriptor,
  release: DialedRelease,
  exists: Exists,
): GroupVersionKind {
  const { storage } = resource;
  const siblings = catalogue.resources.filter(
    (other) => other.storage.group === storage.group && other.storage.kind === storage.kind && exists(other, release),
  );
  const settled = siblings.filter((other) => exists(other, release.previous));
  const candidates = settled.length > 0 ? settled : siblings;
  const hub = candidates.find((other) => other.group === storage.group && other.version === storage.version);
  const best = hub ?? [...candidates].sort((a, b) => compareVersionNames(a.version, b.version))[0];
  return best === undefined ? storage : { group: best.group, version: best.version, kind: best.kind };
}

function knownReleases(catalogue: ApiCatalogue): string {
  const introduced = catalogue.resources
    .flatMap((resource) => resource.lifecycle.introduced ?? [])
    .sort(compareReleases);
  return introduced.length === 0 ? "no releases" : `${introduced[0]} onwards`;
}
