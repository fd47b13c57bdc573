import type { GroupVersionKind, Release, ResourceDescriptor } from "../contract/resource-descriptor.ts";
import { deprecationNotice } from "../release/deprecation.ts";
import { compareReleases } from "../release/release.ts";
import { compareVersionNames, stabilityOf } from "../release/version-name.ts";
import { versionText } from "./manifest-converter.ts";

/** An object that uses a version which is deprecated or removed at a release. */
export interface RemovalFinding {
  /** `file:line`, or `namespace/name (manager …)` on a server. */
  readonly where: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly deprecated: Release;
  readonly removed?: Release;
  /** Whether the version is removed at the target release, not only deprecated. */
  readonly gone: boolean;
  /** The replacement, if there is one. */
  readonly use?: string;
  /** Whether `convert` can convert the object to it. */
  readonly automatic: boolean;
}

/** The finding for the use of a version at a release; undefined if there is none. `versions` are all versions of the kind. */
export function judgeUse(
  resource: ResourceDescriptor,
  versions: readonly ResourceDescriptor[],
  release: Release,
): Omit<RemovalFinding, "where" | "name"> | undefined {
  const { deprecated, removed } = resource.lifecycle;
  const gone = removed !== undefined && compareReleases(removed, release) <= 0;
  if (deprecated === undefined || (deprecationNotice(resource, release) === undefined && !gone)) return undefined;
  const replacement = replacementAt(resource, versions, release);
  const apiVersion = versionText(resource);
  return {
    apiVersion,
    kind: resource.kind,
    deprecated,
    ...(removed !== undefined && { removed }),
    gone,
    ...(replacement && { use: `${versionText(replacement)} ${replacement.kind}` }),
    automatic: versions.some((other) => replacement !== undefined && versionText(other) === versionText(replacement)),
  };
}

/** The declared replacement while it lasts, else the most stable version of the kind that the release has, of the same group if one is. */
function replacementAt(
  resource: ResourceDescriptor,
  versions: readonly ResourceDescriptor[],
  release: Release,
): GroupVersionKind | undefined {
  const { replacement } = resource.lifecycle;
  const lasting = versions.filter(
    (other) => other.type !== resource.type && !isGone(other, release) && hasCome(other, release),
  );
  const declared = replacement && lasting.find((other) => versionText(other) === versionText(replacement));
  const best = lasting
    .filter((other) => stabilityOf(other.version) !== "alpha" || stabilityOf(resource.version) === "alpha")
    .sort(
      (a, b) =>
        Number(b.group === resource.group) - Number(a.group === resource.group) ||
        compareVersionNames(a.version, b.version),
    )[0];
  return declared ?? best ?? (versions.length > 1 ? undefined : replacement);
}

function isGone({ lifecycle }: ResourceDescriptor, release: Release): boolean {
  return lifecycle.removed !== undefined && compareReleases(lifecycle.removed, release) <= 0;
}

function hasCome({ lifecycle }: ResourceDescriptor, release: Release): boolean {
  return lifecycle.introduced === undefined || compareReleases(lifecycle.introduced, release) <= 0;
}

/** One finding as a line of text. */
export function describeFinding(finding: RemovalFinding): string {
  const { where, apiVersion, kind, name, deprecated, removed, gone, use, automatic } = finding;
  const fate = gone
    ? `removed in v${removed}`
    : `deprecated since v${deprecated}${removed ? `, removed in v${removed}` : ""}`;
  const advice = use === undefined ? "there is no replacement" : `use ${use}`;
  const how = use === undefined ? "" : automatic ? " (typeplane convert can convert it)" : " (convert it by hand)";
  return `${where}: ${apiVersion} ${kind} "${name}" is ${fate}; ${advice}${how}`;
}
