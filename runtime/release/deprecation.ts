import { apiVersionOf } from "../contract/group-version.ts";
import type { GroupVersionKind, Release, ResourceDescriptor } from "../contract/resource-descriptor.ts";
import { compareReleases } from "./release.ts";
import { compareVersionNames, stabilityOf } from "./version-name.ts";

/** Warning and removal release for a request to a deprecated version. */
export interface DeprecationNotice {
  /** Text of the `Warning: 299` header. */
  readonly warning: string;
  /** Label of `apiserver_requested_deprecated_apis` and of the audit annotation; empty when no removal is planned. */
  readonly removedRelease: string;
}

/**
 * Returns the notice for using this resource at a release; undefined if it is not deprecated. `versions`, all versions of the kind, are used to find
 * a replacement that exists at the release.
 */
export function deprecationNotice(
  resource: ResourceDescriptor,
  release: Release,
  versions: readonly ResourceDescriptor[] = [],
): DeprecationNotice | undefined {
  const { deprecated, removed } = resource.lifecycle;
  if (deprecated === undefined || compareReleases(release, deprecated) < 0) return undefined;
  if (resource.deprecationWarning !== undefined) {
    const plain = `${apiVersionOf(resource)} ${resource.kind} is deprecated`;
    return { warning: resource.deprecationWarning || plain, removedRelease: removed ?? "" };
  }
  let warning = `${apiVersionOf(resource)} ${resource.kind} is deprecated in v${deprecated}+`;
  if (removed !== undefined) warning += `, unavailable in v${removed}+`;
  const replacement = resource.lifecycle.replacement && replacementAt(resource, versions, release);
  if (replacement !== undefined) warning += `; use ${apiVersionOf(replacement)} ${replacement.kind}`;
  return { warning, removedRelease: removed ?? "" };
}

/** Returns the notice as annotations of an audit event. */
export function deprecationAnnotations(notice: DeprecationNotice, domain: string): { readonly [key: string]: string } {
  return {
    [`${domain}/deprecated`]: "true",
    ...(notice.removedRelease !== "" && { [`${domain}/removed-release`]: notice.removedRelease }),
  };
}

/** Returns the declared replacement while it exists, otherwise the most stable version of the kind at the release, preferably of the same group. */
export function replacementAt(
  resource: ResourceDescriptor,
  versions: readonly ResourceDescriptor[],
  release: Release,
): GroupVersionKind | undefined {
  const { replacement } = resource.lifecycle;
  const lasting = versions.filter(
    (other) => other.type !== resource.type && !isGone(other, release) && hasCome(other, release),
  );
  const declared = replacement && lasting.find((other) => apiVersionOf(other) === apiVersionOf(replacement));
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
