import type { ApiRegistry, GateDescriptor, MetricLife } from "../contract/api-registry.ts";
import type { ApiCatalogue, Release } from "../contract/resource-descriptor.ts";
import { currentRelease } from "./calendar.ts";
import { hiddenSince } from "./metric-lives.ts";
import { compareReleases, majorOf, parseRelease, ReleaseError, shiftRelease } from "./release.ts";
import { stabilityOf } from "./version-name.ts";

/** The parts of the definitions that depend on the release. */
export interface Definitions {
  readonly catalogue: ApiCatalogue;
  readonly gates: readonly GateDescriptor[];
  readonly metrics: readonly MetricLife[];
}

/** Reads the definitions that depend on the release. */
export function readDefinitions(registry: ApiRegistry, catalogue = registry.readCatalogue()): Definitions {
  return { catalogue, gates: registry.readFeatureGates(), metrics: registry.readMetrics() };
}

/** The releases that can be simulated, because the definitions describe them. */
export interface KnownReleases {
  /** The release of the definitions themselves. */
  readonly own: Release;
  readonly oldest: Release;
  readonly newest: Release;
  /** All releases, if the project has its own. */
  readonly listed?: { readonly project: string; readonly releases: readonly Release[] };
}

/**
 * Returns the releases of the project's calendar. Without one, those of Kubernetes from the first release with RBAC, which this server always needs,
 * to the one after the last release that the definitions mention: one release later the newest version becomes preferred and is stored
 * (docs/versioning.md, "Rollback"), and hidden metrics are deleted. All belong to the same major release.
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

/** Parses a release to simulate. Throws a ReleaseError if the definitions do not describe it. */
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

/** Returns the project's release from a flag, or its current one if undefined. Throws a ReleaseError for an unknown release. */
export function chooseRelease(asked: string | undefined, definitions: Definitions): Release {
  return asked === undefined
    ? currentRelease(definitions.catalogue)
    : parseKnownRelease(asked, knownReleases(definitions));
}

/**
 * Returns, for each group, the first release that serves one of its resources by default. Without a declared release, that is the first of the major.
 */
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
