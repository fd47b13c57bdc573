import { BOOL, INT, opaqueOf, STRING } from "../types/cel-type.ts";
import { OpaqueValue } from "../values/containers.ts";
import { conversionError } from "../values/evaluation-error.ts";
import { type Int, toInt } from "../values/numbers.ts";
import { comparisons } from "./comparisons.ts";
import { declare, global, type Library, member } from "./library.ts";

const TOTAL = { total: true };
const SEMVER_TYPE = opaqueOf("kubernetes.Semver");

/** A semantic version; build metadata plays no part in order or equality. */
class SemverValue extends OpaqueValue {
  readonly typeName = SEMVER_TYPE.name;
  readonly numbers: readonly [bigint, bigint, bigint];
  readonly prerelease: readonly string[];

  constructor(numbers: readonly [bigint, bigint, bigint], prerelease: readonly string[]) {
    super();
    this.numbers = numbers;
    this.prerelease = prerelease;
  }

  part(index: 0 | 1 | 2): Int {
    return toInt(this.numbers[index]);
  }

  equals(other: OpaqueValue): boolean {
    return other instanceof SemverValue && compare(this, other) === 0;
  }
}

const NUMBER = "(0|[1-9]\\d*)";
const IDENTIFIERS = "[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*";
const SEMVER = new RegExp(`^${NUMBER}\\.${NUMBER}\\.${NUMBER}(?:-(${IDENTIFIERS}))?(?:\\+${IDENTIFIERS})?$`);

/** No more fit 64 bits. */
const MOST_DIGITS = 20;

function parseSemver(text: string, normalize = false): SemverValue | undefined {
  const match = SEMVER.exec(normalize ? normalized(text) : text);
  if (match === null) return undefined;
  if (match.slice(1, 4).some((digits) => digits.length > MOST_DIGITS)) return undefined;
  const numbers = [BigInt(match[1]!), BigInt(match[2]!), BigInt(match[3]!)] as const;
  const prerelease = match[4]?.split(".") ?? [];
  const malformed = prerelease.some((part) => /^0\d+$/.test(part)) || numbers.some((number) => number >= 2n ** 64n);
  return malformed ? undefined : new SemverValue(numbers, prerelease);
}

/** Drops a leading `v` and leading zeros, and fills up to three numbers. */
function normalized(text: string): string {
  const parts = text.replace(/^v/, "").split(".");
  const numbers = [...parts.slice(0, 2), ...(parts.length > 2 ? [parts.slice(2).join(".")] : [])];
  if (numbers.length < 3 && /[+-]/.test(numbers.at(-1)!)) return "";
  while (numbers.length < 3) numbers.push("0");
  return numbers.map((part) => part.replace(/^0+(?=\d)/, "")).join(".");
}

function semver(text: string, normalize = false): SemverValue {
  const parsed = parseSemver(text, normalize);
  if (parsed === undefined) throw conversionError(`Invalid semantic version ${JSON.stringify(text)}`);
  return parsed;
}

function compare(a: SemverValue, b: SemverValue): number {
  for (const i of [0, 1, 2] as const) if (a.numbers[i] !== b.numbers[i]) return a.numbers[i] < b.numbers[i] ? -1 : 1;
  if (a.prerelease.length === 0 || b.prerelease.length === 0)
    return Math.sign(b.prerelease.length - a.prerelease.length);
  for (let i = 0; i < Math.min(a.prerelease.length, b.prerelease.length); i++) {
    const order = comparePrerelease(a.prerelease[i]!, b.prerelease[i]!);
    if (order !== 0) return order;
  }
  return Math.sign(a.prerelease.length - b.prerelease.length);
}

/** Numbers come before words; numbers compare as numbers, words by their characters. */
function comparePrerelease(a: string, b: string): number {
  if (a === b) return 0;
  const [x, y] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (x && y) return BigInt(a) < BigInt(b) ? -1 : 1;
  if (x !== y) return x ? -1 : 1;
  return a < b ? -1 : 1;
}

const isSemver = (text: string, normalize = false) => parseSemver(text, normalize) !== undefined;

/** Semantic versions. */
export const semverLibrary: Library = {
  name: "semver",
  types: [SEMVER_TYPE],
  functions: [
    declare(
      "semver",
      global("string_to_semver", [STRING], SEMVER_TYPE, semver),
      global("string_bool_to_semver", [STRING, BOOL], SEMVER_TYPE, semver),
    ),
    declare(
      "isSemver",
      global("is_semver_string", [STRING], BOOL, isSemver, TOTAL),
      global("is_semver_string_bool", [STRING, BOOL], BOOL, isSemver, TOTAL),
    ),
    ...comparisons("semver", SEMVER_TYPE, compare),
    declare(
      "major",
      member("semver_major", [SEMVER_TYPE], INT, (value: SemverValue) => value.part(0), TOTAL),
    ),
    declare(
      "minor",
      member("semver_minor", [SEMVER_TYPE], INT, (value: SemverValue) => value.part(1), TOTAL),
    ),
    declare(
      "patch",
      member("semver_patch", [SEMVER_TYPE], INT, (value: SemverValue) => value.part(2), TOTAL),
    ),
  ],
};
