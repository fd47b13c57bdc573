import { goQuote } from "../../go/quote.ts";
import { compareSemver, parseSemver, type Semver } from "../../values/semver.ts";
import { BOOL, INT, opaqueOf, STRING } from "../types/cel-type.ts";
import { OpaqueValue } from "../values/containers.ts";
import { conversionError } from "../values/evaluation-error.ts";
import { type Int, toInt } from "../values/numbers.ts";
import { comparisons } from "./comparisons.ts";
import { declare, global, type Library, member } from "./library.ts";

const TOTAL = { total: true };
const SEMVER_TYPE = opaqueOf("kubernetes.Semver");

class SemverValue extends OpaqueValue {
  readonly typeName = SEMVER_TYPE.name;
  override readonly goType = "semver.Version";
  readonly version: Semver;
  readonly #text: string;

  constructor(version: Semver, text: string) {
    super();
    this.version = version;
    this.#text = text;
  }

  override toString(): string {
    return this.#text;
  }

  part(index: 0 | 1 | 2): Int {
    return toInt(BigInt.asIntN(64, this.version.numbers[index]));
  }

  equals(other: OpaqueValue): boolean {
    return other instanceof SemverValue && compare(this, other) === 0;
  }
}

function parse(text: string, normalize: boolean): Semver | undefined {
  return parseSemver(normalize ? normalized(text) : text);
}

/** Removes a leading `v` and leading zeros, and pads to three numbers. Empty if a short version contains anything but numbers. */
function normalized(text: string): string {
  const numbers = threeParts(text.replace(/^v/, "")).map((part) => {
    if (part.length < 2) return part;
    const short = part.replace(/^0+/, "");
    return /^\d/.test(short) ? short : `0${short}`;
  });
  if (isShortWithMore(numbers)) return "";
  while (numbers.length < 3) numbers.push("0");
  return numbers.join(".");
}

/** Major, minor, and the rest. */
function threeParts(text: string): string[] {
  const [major = "", minor, ...rest] = text.split(".");
  return [major, ...(minor === undefined ? [] : [minor]), ...(rest.length === 0 ? [] : [rest.join(".")])];
}

const isShortWithMore = (parts: readonly string[]): boolean => parts.length < 3 && /[+-]/.test(parts.at(-1) ?? "");

function semver(text: string, normalize = false): SemverValue {
  const parsed = parse(text, normalize);
  if (parsed !== undefined) return new SemverValue(parsed, normalize ? normalized(text) : text);
  if (normalize && isShortWithMore(threeParts(text.replace(/^v/, ""))))
    throw conversionError("short version cannot contain PreRelease/Build meta data");
  throw conversionError(problemOf(normalize ? normalized(text) : text));
}

/** Returns the first error of a malformed version, from left to right. */
function problemOf(text: string): string {
  if (text === "") return "Version string empty";
  const [major = "", minor = "", rest] = threeParts(text);
  if (rest === undefined) return "No Major.Minor.Patch elements found";
  const [, patch = "", , prerelease, , build] = /^([^-+]*)(-([^+]*))?(\+(.*))?$/s.exec(rest) ?? [];
  return (
    numberProblem(major, "major number", "Major number") ??
    numberProblem(minor, "minor number", "Minor number") ??
    numberProblem(patch, "patch number", "Patch number") ??
    prerelease
      ?.split(".")
      .map(prereleaseProblem)
      .find((problem) => problem !== undefined) ??
    build
      ?.split(".")
      .map(buildProblem)
      .find((problem) => problem !== undefined) ??
    ""
  );
}

function numberProblem(text: string, part: string, name: string): string | undefined {
  if (/\D/.test(text)) return `Invalid character(s) found in ${part} ${goQuote(text)}`;
  if (/^0./.test(text)) return `${name} must not contain leading zeroes ${goQuote(text)}`;
  if (text === "") return 'strconv.ParseUint: parsing "": invalid syntax';
  return BigInt(text) < 2n ** 64n ? undefined : `strconv.ParseUint: parsing ${goQuote(text)}: value out of range`;
}

function prereleaseProblem(text: string): string | undefined {
  if (text === "") return "Prerelease is empty";
  if (/^\d+$/.test(text)) return numberProblem(text, "", "Numeric PreRelease version");
  return IDENTIFIER.test(text) ? undefined : `Invalid character(s) found in prerelease ${goQuote(text)}`;
}

function buildProblem(text: string): string | undefined {
  if (text === "") return "Build meta data is empty";
  return IDENTIFIER.test(text) ? undefined : `Invalid character(s) found in build meta data ${goQuote(text)}`;
}

const IDENTIFIER = /^[0-9A-Za-z-]+$/;

const compare = (a: SemverValue, b: SemverValue) => compareSemver(a.version, b.version);
const isSemver = (text: string, normalize = false) => parse(text, normalize) !== undefined;

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
