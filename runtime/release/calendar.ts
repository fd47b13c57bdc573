import type { ApiCatalogue, Release } from "../contract/resource-descriptor.ts";
import { compareReleases, shiftRelease } from "./release.ts";

/** One release in both calendars: that of the project, and that of Kubernetes. They are equal if the project has no releases of its own. */
export interface ReleasePair {
  readonly own: Release;
  readonly kubernetes: Release;
}

/** The served release, and the previous one, to which a server may be rolled back. */
export interface DialedRelease extends ReleasePair {
  readonly previous: ReleasePair;
  /** Date of the release, if the project gives one: `2026-03-01`. */
  readonly date?: string;
}

/** Returns the project's current release. */
export function currentRelease({ release, project }: ApiCatalogue): Release {
  return project?.release ?? release;
}

/**
 * Returns a release of the project in both calendars. The previous release, which must be able to read the data after a rollback, is the previous
 * release of Kubernetes or of the project, whichever is older.
 */
export function dialRelease(catalogue: ApiCatalogue, release = currentRelease(catalogue)): DialedRelease {
  const releases = catalogue.project?.releases ?? [];
  const index = releases.findIndex((one) => compareReleases(one.release, release) === 0);
  const found = releases[index];
  if (found === undefined) {
    const before = shiftRelease(release, -1);
    return { own: release, kubernetes: release, previous: { own: before, kubernetes: before } };
  }
  const before = releases[index - 1];
  const { kubernetes, date } = found;
  const oneBefore = shiftRelease(kubernetes, -1);
  const isOlder = before !== undefined && compareReleases(before.kubernetes, oneBefore) < 0;
  return {
    own: release,
    kubernetes,
    previous: { own: before?.release ?? release, kubernetes: isOlder ? before.kubernetes : oneBefore },
    ...(date !== undefined && { date }),
  };
}

/** Returns the calendar for the releases of a group: `kubernetes` for Kubernetes' own groups. */
export function calendarOf({ groups }: ApiCatalogue): (group: string) => keyof ReleasePair {
  const kubernetes = new Set(groups.filter((group) => group.kubernetes).map(({ name }) => name));
  return (group) => (kubernetes.has(group) ? "kubernetes" : "own");
}
