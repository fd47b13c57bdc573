import type { Release } from "../contract/resource-descriptor.ts";

const pattern = /^v?(\d{1,4})\.(\d{1,4})$/;

/** Thrown for invalid releases, keys and gates. `message` is one line for people. The exit status is 2. */
export class ReleaseError extends Error {
  readonly code = "BadReleaseOption";
}

/** Parses `1.33` (or `v1.33`). Throws a ReleaseError for anything else. */
export function parseRelease(text: string): Release {
  const match = pattern.exec(text);
  if (match === null) throw new ReleaseError(`"${text}" is not a release: write it as major.minor, for example 1.33`);
  return `${Number(match[1])}.${Number(match[2])}`;
}

/** Negative when a is before b, zero when equal, positive when after. */
export function compareReleases(a: Release, b: Release): number {
  const [aMajor, aMinor] = numbers(a);
  const [bMajor, bMinor] = numbers(b);
  return aMajor - bMajor || aMinor - bMinor;
}

/** Returns the release `steps` minors later (earlier if negative), within the same major. */
export function shiftRelease(release: Release, steps: number): Release {
  const [major, minor] = numbers(release);
  return `${major}.${Math.max(0, minor + steps)}`;
}

/** Returns `1` for `1.33`. */
export function majorOf(release: Release): number {
  return numbers(release)[0];
}

function numbers(release: Release): [number, number] {
  const dot = release.indexOf(".");
  return [Number(release.slice(0, dot)), Number(release.slice(dot + 1))];
}
