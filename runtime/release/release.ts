import type { Release, ResourceDescriptor } from "../contract/resource-descriptor.ts";
import { stabilityOf } from "./version-name.ts";

const pattern = /^v?(\d{1,4})\.(\d{1,4})$/;

/** Thrown for releases, keys and gates that make no sense; `message` is one line for a person, exit status 2. */
export class ReleaseError extends Error {
  readonly code = "BadReleaseOption";
}

/** Reads `1.33` (or `v1.33`); throws a ReleaseError for anything else. */
export function parseRelease(text: string): Release {
  const match = pattern.exec(text);
  if (match === null) throw new ReleaseError(`"${text}" is not a release: write it as major.minor, for example 1.33`);
  return `${Number(match[1])}.${Number(match[2])}`;
}

/** The same for a release to be simulated: definitions know how kinds come and go from some release on, within their own major one. */
export function parseKnownRelease(text: string, known: { readonly own: Release; readonly oldest: Release }): Release {
  const release = parseRelease(text);
  const [major] = numbers(known.own);
  if (numbers(release)[0] !== major || compareReleases(release, known.oldest) < 0)
    throw new ReleaseError(
      `release ${release} is unknown: the definitions, of ${known.own}, know releases ${major}.x from ${known.oldest} on`,
    );
  return release;
}

/** The first release that serves something of every one of these groups by default: no server gets by without them. */
export function oldestRelease(resources: readonly ResourceDescriptor[], needed: readonly string[]): Release {
  const firsts = needed.map((group) => {
    const releases = resources
      .filter((resource) => resource.group === group && stabilityOf(resource.version) !== "alpha")
      .map(({ lifecycle }) => lifecycle.introduced ?? "1.0");
    return releases.sort(compareReleases)[0] ?? "1.0";
  });
  return firsts.sort(compareReleases).at(-1) ?? "1.0";
}

/** Negative when a is before b, zero when equal, positive when after. */
export function compareReleases(a: Release, b: Release): number {
  const [aMajor, aMinor] = numbers(a);
  const [bMajor, bMinor] = numbers(b);
  return aMajor - bMajor || aMinor - bMinor;
}

/** The release `steps` minors later (earlier when negative), within the same major. */
export function shiftRelease(release: Release, steps: number): Release {
  const [major, minor] = numbers(release);
  return `${major}.${Math.max(0, minor + steps)}`;
}

function numbers(release: Release): [number, number] {
  const dot = release.indexOf(".");
  return [Number(release.slice(0, dot)), Number(release.slice(dot + 1))];
}
