const VERSION = /^v([1-9]\d*)(?:(alpha|beta)([1-9]\d*))?$/;

export function isVersionName(name: string): boolean {
  return VERSION.test(name);
}

/** Orders versions most stable and newest first: v2, v1, v2beta1, v1beta2, v1alpha1. */
export function compareVersions(a: string, b: string): number {
  const [rankA, majorA, minorA] = rank(a);
  const [rankB, majorB, minorB] = rank(b);
  return rankB - rankA || majorB - majorA || minorB - minorA;
}

function rank(version: string): [stability: number, major: number, minor: number] {
  const match = VERSION.exec(version);
  if (match === null) return [-1, 0, 0];
  const stability = match[2] === undefined ? 2 : match[2] === "beta" ? 1 : 0;
  return [stability, Number(match[1]), Number(match[3] ?? 0)];
}

/** Orders releases, oldest first: 1.9 comes before 1.21. */
export function compareReleases(a: string, b: string): number {
  const [majorA = 0, minorA = 0] = a.split(".").map(Number);
  const [majorB = 0, minorB = 0] = b.split(".").map(Number);
  return majorA - majorB || minorA - minorB;
}
