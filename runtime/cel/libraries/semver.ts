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
  readonly version: Semver;

  constructor(version: Semver) {
    super();
    this.version = version;
  }

  part(index: 0 | 1 | 2): Int {
    return toInt(this.version.numbers[index]);
  }

  equals(other: OpaqueValue): boolean {
    return other instanceof SemverValue && compare(this, other) === 0;
  }
}

function parse(text: string, normalize: boolean): Semver | undefined {
  return parseSemver(normalize ? normalized(text) : text);
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
  const parsed = parse(text, normalize);
  if (parsed === undefined) throw conversionError(`Invalid semantic version ${JSON.stringify(text)}`);
  return new SemverValue(parsed);
}

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
