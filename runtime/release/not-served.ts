import type { ApiCatalogue, ResourceDescriptor } from "../contract/resource-descriptor.ts";
import { calendarOf, type DialedRelease } from "./calendar.ts";
import { compareReleases } from "./release.ts";
import { type RuntimeConfig, runtimeConfigFor } from "./runtime-config.ts";

/** A kind of the project that is defined but not served, with the reason. */
export interface NotServed {
  readonly resource: ResourceDescriptor;
  /** Continues the name of the kind: `is off by default; turn it on with --runtime-config=…`. */
  readonly reason: string;
}

export interface NotServedParts {
  readonly catalogue: ApiCatalogue;
  readonly served: readonly ResourceDescriptor[];
  readonly release: DialedRelease;
  readonly runtimeConfig: RuntimeConfig;
}

/** Returns the project's own kinds that are not served. Kinds of Kubernetes are not reported if absent, as in Kubernetes: they are too many. */
export function findNotServed({ catalogue, served, release, runtimeConfig }: NotServedParts): NotServed[] {
  const calendar = calendarOf(catalogue);
  const types = new Set(served.map(({ type }) => type));
  return catalogue.resources
    .filter(({ group, type }) => calendar(group) === "own" && !types.has(type))
    .map((resource) => ({ resource, reason: reasonOf(resource, release.own, runtimeConfig) }));
}

function reasonOf(resource: ResourceDescriptor, release: string, runtimeConfig: RuntimeConfig): string {
  const { group, version, gate, lifecycle } = resource;
  const { introduced, removed, replacement } = lifecycle;
  if (introduced !== undefined && compareReleases(release, introduced) < 0)
    return `is served from release ${introduced}; this server serves release ${release}`;
  if (removed !== undefined && compareReleases(removed, release) <= 0) {
    const use =
      replacement === undefined ? "" : `; use ${replacement.group}/${replacement.version} ${replacement.kind}`;
    return `was removed in release ${removed}${use}`;
  }
  const asked = runtimeConfigFor(runtimeConfig, resource);
  if (asked === false) return "is turned off by --runtime-config";
  if (asked === undefined && resource.offByDefault === true)
    return `is off by default; turn it on with --runtime-config=${group}/${version}=true`;
  return `is served only while the feature gate ${gate} is on: --feature-gates=${gate}=true`;
}

/** Formats all of them in one line for the log, grouped by version and reason; undefined if everything is served. */
export function describeNotServed(kinds: readonly NotServed[]): string | undefined {
  if (kinds.length === 0) return undefined;
  const together = Map.groupBy(kinds, ({ resource, reason }) => `${resource.group}/${resource.version} ${reason}`);
  const parts = [...together.values()].map((some) => {
    const [first] = some as [NotServed];
    const names = some.map(({ resource }) => resource.kind).join(", ");
    return `${first.resource.group}/${first.resource.version} ${names} ${first.reason}`;
  });
  return `not served: ${parts.join(". ")}`;
}
