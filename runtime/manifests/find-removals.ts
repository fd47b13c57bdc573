import { apiVersionOf } from "../contract/group-version.ts";
import type { Release, ResourceDescriptor } from "../contract/resource-descriptor.ts";
import { deprecationNotice, replacementAt } from "../release/deprecation.ts";
import { compareReleases } from "../release/release.ts";

/** An object that uses a version which is deprecated or removed at a release. */
export interface RemovalFinding {
  /** `file:line`, or `namespace/name (manager …)` on a server. */
  readonly where: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly deprecated: Release;
  readonly removed?: Release;
  /** Whether the version is removed at the target release, and not only deprecated. */
  readonly gone: boolean;
  /** The replacement, if one exists. */
  readonly use?: string;
  /** Whether `convert` can convert the object to the replacement. */
  readonly automatic: boolean;
}

/** Returns the finding for the use of a version at a release; undefined if there is none. `versions` are all versions of the kind. */
export function judgeUse(
  resource: ResourceDescriptor,
  versions: readonly ResourceDescriptor[],
  release: Release,
): Omit<RemovalFinding, "where" | "name"> | undefined {
  const { deprecated, removed } = resource.lifecycle;
  const gone = removed !== undefined && compareReleases(removed, release) <= 0;
  if (deprecated === undefined || (deprecationNotice(resource, release) === undefined && !gone)) return undefined;
  const replacement = replacementAt(resource, versions, release);
  const apiVersion = apiVersionOf(resource);
  return {
    apiVersion,
    kind: resource.kind,
    deprecated,
    ...(removed !== undefined && { removed }),
    gone,
    ...(replacement && { use: `${apiVersionOf(replacement)} ${replacement.kind}` }),
    automatic: versions.some((other) => replacement !== undefined && apiVersionOf(other) === apiVersionOf(replacement)),
  };
}

/** Formats a finding as one line. */
export function describeFinding(finding: RemovalFinding): string {
  const { where, apiVersion, kind, name, deprecated, removed, gone, use, automatic } = finding;
  const fate = gone
    ? `removed in v${removed}`
    : `deprecated since v${deprecated}${removed ? `, removed in v${removed}` : ""}`;
  const advice = use === undefined ? "there is no replacement" : `use ${use}`;
  const how = use === undefined ? "" : automatic ? " (typeplane convert can convert it)" : " (convert it by hand)";
  return `${where}: ${apiVersion} ${kind} "${name}" is ${fate}; ${advice}${how}`;
}
