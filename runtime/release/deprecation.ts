import type { GroupVersionKind, Release, ResourceDescriptor } from "../contract/resource-descriptor.ts";
import { compareReleases } from "./release.ts";

/** Warning and removal release for a request to a deprecated version. */
export interface DeprecationNotice {
  /** Text of the `Warning: 299` header. */
  readonly warning: string;
  /** Label of `apiserver_requested_deprecated_apis` and of the audit annotation; empty when no removal is planned. */
  readonly removedRelease: string;
}

/** The notice for using this resource at a release, or undefined while it is not deprecated. */
export function deprecationNotice(resource: ResourceDescriptor, release: Release): DeprecationNotice | undefined {
  const { deprecated, removed, replacement } = resource.lifecycle;
  if (deprecated === undefined || compareReleases(release, deprecated) < 0) return undefined;
  if (resource.deprecationWarning !== undefined) {
    const plain = `${apiVersionOf(resource)} ${resource.kind} is deprecated`;
    return { warning: resource.deprecationWarning || plain, removedRelease: removed ?? "" };
  }
  let warning = `${apiVersionOf(resource)} ${resource.kind} is deprecated in v${deprecated}+`;
  if (removed !== undefined) warning += `, unavailable in v${removed}+`;
  if (replacement !== undefined) warning += `; use ${apiVersionOf(replacement)} ${replacement.kind}`;
  return { warning, removedRelease: removed ?? "" };
}

/** The notice as annotations of an audit event. */
export function deprecationAnnotations(notice: DeprecationNotice, domain: string): { readonly [key: string]: string } {
  return {
    [`${domain}/deprecated`]: "true",
    ...(notice.removedRelease !== "" && { [`${domain}/removed-release`]: notice.removedRelease }),
  };
}

function apiVersionOf(kind: GroupVersionKind): string {
  return kind.group === "" ? kind.version : `${kind.group}/${kind.version}`;
}
