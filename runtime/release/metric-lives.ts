import type { MetricLife } from "../contract/api-registry.ts";
import type { Release } from "../contract/resource-descriptor.ts";
import { compareReleases, parseRelease, ReleaseError, shiftRelease } from "./release.ts";

/** Number of releases between the deprecation of a metric and its hiding. It is deleted one release later. */
const HIDDEN_AFTER = 3;

/** Returns the release from which on a deprecated metric is hidden; undefined if it is not deprecated. */
export function hiddenSince({ deprecated }: MetricLife): Release | undefined {
  return deprecated === undefined ? undefined : shiftRelease(deprecated, HIDDEN_AFTER);
}

export interface MetricPolicy {
  /** Whether a metric is registered at all. A metric without declaration is. */
  isShown(name: string): boolean;
  /** Whether a metric is hidden, because it was deprecated too long ago or disabled. */
  isHidden(name: string): boolean;
  /** What it declares; undefined for those that declare nothing. */
  lifeOf(name: string): MetricLife | undefined;
  /** The number of names in `--disabled-metrics`. */
  readonly disabled: number;
  /** Returns the prefix of its help text: `[STABLE] (Deprecated from 1.34) `. */
  prefix(name: string): string;
  /** Messages to log when metrics are registered, about deprecated ones. */
  readonly warnings: readonly string[];
}

/**
 * Returns how metrics are treated at a release. `showHiddenFor` is `--show-hidden-metrics-for-version`: the previous release, whose metrics were not
 * hidden yet. Throws a ReleaseError for any other. `disabled` is `--disabled-metrics`.
 */
export function metricPolicy(
  lives: readonly MetricLife[],
  release: Release,
  showHiddenFor = "",
  disabled: readonly string[] = [],
): MetricPolicy {
  const shownAt = showHiddenFor === "" ? release : previousRelease(showHiddenFor, release);
  const byName = new Map(lives.map((life) => [life.name, life]));
  const isDeprecated = ({ deprecated }: MetricLife): boolean =>
    deprecated !== undefined && compareReleases(deprecated, release) <= 0;
  const isKnown = ({ introduced }: MetricLife): boolean =>
    introduced === undefined || compareReleases(introduced, release) <= 0;
  const off = new Set(disabled);
  const isShown = (life: MetricLife): boolean => {
    if (!isKnown(life) || off.has(life.name)) return false;
    const hidden = hiddenSince(life);
    return hidden === undefined || compareReleases(hidden, shownAt) > 0;
  };
  return {
    isShown(name) {
      const life = byName.get(name);
      return life === undefined ? !off.has(name) : isShown(life);
    },
    isHidden(name) {
      const life = byName.get(name);
      return life === undefined ? off.has(name) : isKnown(life) && !isShown(life);
    },
    lifeOf: (name) => byName.get(name),
    disabled: disabled.length,
    prefix(name) {
      const life = byName.get(name);
      if (life === undefined) return "";
      return `[${life.stability}] ${isDeprecated(life) ? `(Deprecated from ${life.deprecated}) ` : ""}`;
    },
    warnings: lives
      .filter((life) => isDeprecated(life) && isShown(life))
      .map(({ name, deprecated }) => `metric ${name} is deprecated from ${deprecated} and will be hidden`),
  };
}

function previousRelease(text: string, release: Release): Release {
  const previous = shiftRelease(release, -1);
  if (parseRelease(text) === previous) return previous;
  throw new ReleaseError(
    `--show-hidden-metrics-for-version must be omitted or have the value '${previous}'. Only the previous minor version is allowed`,
  );
}
