import { checkRequestUri, GoUrlError } from "../../go/url.ts";
import {
  checkDns1035Label,
  checkDnsLabel,
  checkLabelValue,
  checkQualifiedName,
  checkSubdomain,
  maskTrailingDash,
  type NameCheck,
} from "../../values/names.ts";
import { listOf, opaqueOf, optionalOf, STRING } from "../types/cel-type.ts";
import { OpaqueValue, Optional } from "../values/containers.ts";
import { parseTimestamp } from "../values/time.ts";
import { declare, global, type Library, member } from "./library.ts";

const TOTAL = { total: true };
const FORMAT_TYPE = opaqueOf("kubernetes.NamedFormat");

/** A named format of strings, with its check. */
class FormatValue extends OpaqueValue {
  readonly typeName = FORMAT_TYPE.name;
  readonly name: string;
  readonly problems: NameCheck;
  readonly #regexSize: number;

  constructor(name: string, problems: NameCheck, regexSize: number) {
    super();
    this.name = name;
    this.problems = problems;
    this.#regexSize = regexSize;
  }

  /** Length of the pattern of the format, which determines the cost of checking it. */
  override get size(): number {
    return this.#regexSize;
  }

  equals(other: OpaqueValue): boolean {
    return other instanceof FormatValue && this.name === other.name;
  }
}

const prefixed =
  (check: NameCheck): NameCheck =>
  (name) =>
    check(maskTrailingDash(name));
const test =
  (valid: (text: string) => boolean, problem: string): NameCheck =>
  (text) =>
    valid(text) ? [] : [problem];

const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const isDate = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && parseTimestamp(`${text}T00:00:00Z`) !== undefined;
const uriProblems: NameCheck = (text) => {
  try {
    checkRequestUri(text);
    return [];
  } catch (error) {
    if (error instanceof GoUrlError) return [error.message];
    throw error;
  }
};

const FORMATS = new Map(
  (
    [
      ["dns1123Label", "DNS1123Label", checkDnsLabel, 30],
      ["dns1123Subdomain", "DNS1123Subdomain", checkSubdomain, 60],
      ["dns1035Label", "DNS1035Label", checkDns1035Label, 30],
      ["qualifiedName", "QualifiedName", checkQualifiedName, 60],
      ["dns1123LabelPrefix", "DNS1123LabelPrefix", prefixed(checkDnsLabel), 30],
      ["dns1123SubdomainPrefix", "DNS1123SubdomainPrefix", prefixed(checkSubdomain), 60],
      ["dns1035LabelPrefix", "DNS1035LabelPrefix", prefixed(checkDns1035Label), 30],
      ["labelValue", "LabelValue", checkLabelValue, 40],
      ["uri", "URI", uriProblems, 1103],
      ["uuid", "uuid", test((text) => UUID.test(text), "does not match the UUID format"), 70],
      ["byte", "byte", test((text) => BASE64.test(text), "invalid base64"), 84],
      ["date", "date", test(isDate, "invalid date"), 71],
      ["datetime", "datetime", test((text) => parseTimestamp(text) !== undefined, "invalid datetime"), 71],
    ] as const
  ).map(([key, name, problems, size]) => [key as string, new FormatValue(name, problems, size)]),
);

function validate(format: FormatValue, text: string): Optional {
  const problems = format.problems(text);
  return problems.length === 0 ? Optional.none : Optional.of(problems);
}

function named(name: string): Optional {
  const format = FORMATS.get(name);
  return format === undefined ? Optional.none : Optional.of(format);
}

/** The formats of names and values that the API machinery knows: `format.dns1123Label().validate(x)`. */
export const formatLibrary: Library = {
  name: "format",
  types: [FORMAT_TYPE],
  functions: [
    declare("validate", member("format-validate", [FORMAT_TYPE, STRING], optionalOf(listOf(STRING)), validate, TOTAL)),
    declare("format.named", global("format-named", [STRING], optionalOf(FORMAT_TYPE), named, TOTAL)),
    ...[...FORMATS].map(([key, format]) =>
      declare(
        `format.${key}`,
        global(`format.${key}`, [], FORMAT_TYPE, () => format, TOTAL),
      ),
    ),
  ],
};
