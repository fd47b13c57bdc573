import type { ApiCatalogue, Release } from "../../contract/resource-descriptor.ts";
import type { DialedRelease } from "../../release/calendar.ts";

/** The content of `/version`. */
export interface VersionInfo {
  readonly major: string;
  readonly minor: string;
  readonly emulationMajor: string;
  readonly emulationMinor: string;
  readonly minCompatibilityMajor: string;
  readonly minCompatibilityMinor: string;
  readonly gitVersion: string;
  readonly gitCommit: string;
  readonly gitTreeState: string;
  readonly buildDate: string;
  readonly goVersion: string;
  readonly compiler: string;
  readonly platform: string;
}

/** A release of a project that has its own release numbers. */
export interface OwnRelease {
  readonly project: string;
  readonly release: string;
  /** Example: `2026-03-01`. */
  readonly date?: string;
}

/**
 * The version document for a Kubernetes release `major.minor`. Clients compare these numbers with their own version and their requirements,
 * so they are always those of Kubernetes. A project's own release is build metadata, which clients print but do not compare:
 * `v1.33.0+acme.2.3`.
 */
export function versionInfo(release: string, own?: OwnRelease): VersionInfo {
  const [major = "1", minor = "0"] = release.split(".");
  const architecture = process.arch === "x64" ? "amd64" : process.arch;
  return {
    major,
    minor,
    emulationMajor: major,
    emulationMinor: minor,
    minCompatibilityMajor: major,
    minCompatibilityMinor: String(Number(minor) - 1),
    gitVersion: `v${release}.0${own === undefined ? "" : `+${own.project}.${own.release}`}`,
    gitCommit: "0000000000000000000000000000000000000000",
    gitTreeState: "clean",
    buildDate: `${own?.date ?? "1970-01-01"}T00:00:00Z`,
    goVersion: `node${process.versions.node}`,
    compiler: "v8",
    platform: `${process.platform}/${architecture}`,
  };
}

export interface VersionedDefinitions {
  readonly catalogue: Pick<ApiCatalogue, "project">;
  /** The Kubernetes release. */
  readonly release: Release;
  /** The same release in the project's own numbering, if it has one. */
  readonly dialed: DialedRelease;
}

/** Content of `/version`: the Kubernetes release, and the project's own release if it has one. */
export function versionOf({ catalogue: { project }, release, dialed }: VersionedDefinitions): VersionInfo {
  if (project?.releases === undefined) return versionInfo(release);
  const { own, date } = dialed;
  return versionInfo(release, { project: project.name, release: own, ...(date !== undefined && { date }) });
}
