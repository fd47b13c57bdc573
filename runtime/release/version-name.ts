/** Stability level of a version, derived from its name (docs/versioning.md). */
export type Stability = "alpha" | "beta" | "stable";

const pattern = /^v(\d+)(?:(alpha|beta)(\d+))?$/;
const rank: Record<Stability, number> = { alpha: 0, beta: 1, stable: 2 };

export interface VersionName {
  readonly major: number;
  readonly stability: Stability;
  readonly minor: number;
}

/** Parses `v1`, `v2beta1` …; returns undefined for names of another form. */
function parseVersionName(name: string): VersionName | undefined {
  const match = pattern.exec(name);
  if (match === null) return undefined;
  return {
    major: Number(match[1]),
    stability: (match[2] as "alpha" | "beta" | undefined) ?? "stable",
    minor: Number(match[3] ?? 0),
  };
}

export function stabilityOf(name: string): Stability {
  return parseVersionName(name)?.stability ?? "alpha";
}

/** Compares in the order in which clients prefer versions: most stable first, then newest first. Other names are last, by name. */
export function compareVersionNames(a: string, b: string): number {
  const left = parseVersionName(a);
  const right = parseVersionName(b);
  if (left === undefined || right === undefined) {
    if (left === right) return a < b ? -1 : a > b ? 1 : 0;
    return left === undefined ? 1 : -1;
  }
  return rank[right.stability] - rank[left.stability] || right.major - left.major || right.minor - left.minor;
}
