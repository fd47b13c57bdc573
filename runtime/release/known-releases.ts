import type { ApiRegistry, GateDescriptor, MetricLife } from "../contract/api-registry.ts";
import type { ApiCatalogue, Release } from "../contract/resource-descriptor.ts";
import { currentRelease } from "./calendar.ts";
import { hiddenSince } from "./metric-lives.ts";
import { compareReleases, majorOf, parseRelease, ReleaseError, shiftRelease } from "./release.ts";
import { stabilityOf } from "./version-name.ts";

/** Everything of the definitions that tells one release from another. */
export interface Definitions {
  readonly catalogue: ApiCatalogue;
  readonly gates: readonly GateDescriptor[];
  readonly metrics: readonly MetricLife[];
}

/** The definitions that depend on the release. */
export function readDefinitions(registry: ApiRegistry, catalogue = registry.readCatalogue()): Definitions {
  return { catalogue, gates: registry.readFeatureGates(), metrics: registry.readMetrics() };
}

/** The releases that can be simulated: the definitions know no others. */
export interface KnownReleases {
  /** That of the definitions themselves. */
  readonly own: Release;
  readonly oldest: Release;
  readonly newest: Release;
  /** All of them, of a project with releases of its own. */
  readonly listed?: { readonly project: string; readonly releases: readonly Release[] };
}

/**
 * The releases of the project's calendar. Without one, those of Kubernetes from the first release with RBAC, which this server always
 * needs, to the one after the last release that the definitions name: one release later the newest version is preferred and stored
 * (docs/versioning.md, "Rollback"), and hidden metrics are deleted. All of one major release.
 */
export function knownReleases({ catalogue, gates, metrics }: Definitions): KnownReleases {
  const { project } = catalogue;
  const [first, ...later] = project?.releases?.map(({ release }) => release) ?? [];
  if (project !== undefined && first !== undefined) {
    const listed = { project: project.name, releases: [first, ...later] };
    return { own: project.release, oldest: first, newest: later.at(-1) ?? first, listed };
  }
  const own = catalogue.release;
  const named = [
    own,
    ...catalogue.resources.flatMap(({ lifecycle }) => [lifecycle.introduced, lifecycle.deprecated, lifecycle.removed]),
    ...gates.flatMap(({ steps, dropped }) => [...steps.map(({ since }) => since), dropped]),
    ...metrics.flatMap((life) => [life.introduced, hiddenSince(life)]),
  ].filter((release) => release !== undefined && majorOf(release) === majorOf(own)) as Release[];
  const oldest = latest([`${majorOf(own)}.0`, ...firstOf(catalogue, ["", `rbac.authorization.${catalogue.domain}`])]);
  return { own, oldest, newest: shiftRelease(latest(named), 1) };
}

/** Reads a release that is to be simulated; throws a ReleaseError for one that the definitions do not know. */
export function parseKnownRelease(text: string, { own, oldest, newest, listed }: KnownReleases): Release {
  const release = parseRelease(text);
  if (listed !== undefined && !listed.releases.includes(release))
    throw new ReleaseError(
      `release ${release} is unknown: ${listed.project} has the releases ${listed.releases.join(", ")}`,
    );
  if (compareReleases(release, oldest) < 0 || compareReleases(release, newest) > 0)
    throw new ReleaseError(
      `release ${release} is unknown: the definitions, of ${own}, know releases ${oldest} to ${newest}`,
    );
  return release;
}

/** The project's release of a flag, or its current one without it. Throws a ReleaseError for one that they do not know. */
export function chooseRelease(asked: string | undefined, definitions: Definitions): Release {
  return asked === undefined
    ? currentRelease(definitions.catalogue)
    : parseKnownRelease(asked, knownReleases(definitions));
}

/** Of each group, the first release of its own major that serves something of it by default. */
function firstOf({ resources, release }: ApiCatalogue, groups: readonly string[]): Release[] {
  return groups.flatMap((group) => {
    const introduced = resources
      .filter((resource) => resource.group === group && stabilityOf(resource.version) !== "alpha")
      .map(({ lifecycle }) => lifecycle.introduced ?? `${majorOf(release)}.0`);
    return introduced.sort(compareReleases).slice(0, 1);
  });
}

function latest(releases: readonly Release[]): Release {
  return releases.reduce((a, b) => (compareReleases(a, b) >= 0 ? a : b));
}
