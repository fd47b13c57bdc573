/** A semantic version. Build metadata does not influence order or equality. */
export interface Semver {
  readonly numbers: readonly [major: bigint, minor: bigint, patch: bigint];
  readonly prerelease: readonly string[];
}

const NUMBER = "(0|[1-9]\\d*)";
const IDENTIFIERS = "[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*";
const SEMVER = new RegExp(`^${NUMBER}\\.${NUMBER}\\.${NUMBER}(?:-(${IDENTIFIERS}))?(?:\\+${IDENTIFIERS})?$`);

/** Maximum number of digits. Numbers with more digits do not fit into 64 bits. */
const MOST_DIGITS = 20;

/** Parses a version. Undefined if it is malformed or contains a number that does not fit into 64 bits. */
export function parseSemver(text: string): Semver | undefined {
  const match = SEMVER.exec(text);
  if (match === null) return undefined;
  const digits = match.slice(1, 4);
  const prerelease = match[4]?.split(".") ?? [];
  if (prerelease.some((part) => /^0\d+$/.test(part))) return undefined;
  if (![...digits, ...prerelease.filter(isNumber)].every(fits)) return undefined;
  const [major = 0n, minor = 0n, patch = 0n] = digits.map(BigInt);
  return { numbers: [major, minor, patch], prerelease };
}

export function compareSemver(a: Semver, b: Semver): number {
  for (const i of [0, 1, 2] as const) if (a.numbers[i] !== b.numbers[i]) return a.numbers[i] < b.numbers[i] ? -1 : 1;
  if (a.prerelease.length === 0 || b.prerelease.length === 0)
    return Math.sign(b.prerelease.length - a.prerelease.length);
  for (let i = 0; i < Math.min(a.prerelease.length, b.prerelease.length); i++) {
    const order = comparePrerelease(a.prerelease[i]!, b.prerelease[i]!);
    if (order !== 0) return order;
  }
  return Math.sign(a.prerelease.length - b.prerelease.length);
}

/** Numeric identifiers precede others. They are compared as numbers, others by characters. */
function comparePrerelease(a: string, b: string): number {
  if (a === b) return 0;
  const [x, y] = [isNumber(a), isNumber(b)];
  if (x && y) return BigInt(a) < BigInt(b) ? -1 : 1;
  if (x !== y) return x ? -1 : 1;
  return a < b ? -1 : 1;
}

const isNumber = (text: string): boolean => /^\d+$/.test(text);
const fits = (digits: string): boolean => digits.length <= MOST_DIGITS && BigInt(digits) < 2n ** 64n;
