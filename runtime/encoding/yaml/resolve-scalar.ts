import { canonicalBase64 } from "../../lib/base64.ts";
import { YamlError } from "./yaml-error.ts";
import type { YamlScalar } from "./yaml-parser.ts";

const TAG_PREFIX = "tag:yaml.org,2002:";

type Resolved = readonly [tag: string, value: unknown];

const WORDS = new Map<string, Resolved>([
  ...["y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"].map((word) => entry(word, "bool", true)),
  ...["n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"].map((word) =>
    entry(word, "bool", false),
  ),
  ...["", "~", "null", "Null", "NULL"].map((word) => entry(word, "null", null)),
  ...[".nan", ".NaN", ".NAN"].map((word) => entry(word, "float", Number.NaN)),
  ...[".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"].map((word) => entry(word, "float", Number.POSITIVE_INFINITY)),
  ...["-.inf", "-.Inf", "-.INF"].map((word) => entry(word, "float", Number.NEGATIVE_INFINITY)),
]);

function entry(word: string, tag: string, value: unknown): readonly [string, Resolved] {
  return [word, [tag, value]];
}

/** The tags that decide the type of a scalar. */
const READ_AS: ReadonlySet<string> = new Set(["str", "bool", "int", "float", "null", "timestamp"]);

/** The value of a scalar, by the rules of Go's parser. Throws `YamlError` if it does not fit its tag. */
export function scalarValue({ value: text, tag: given, isPlain }: YamlScalar): unknown {
  if (given === "") return isPlain ? resolvePlain(text)[1] : text;
  const tag = given.startsWith(TAG_PREFIX) ? given.slice(TAG_PREFIX.length) : given;
  if (tag === "binary") return binaryText(text);
  if (tag === "str" || !READ_AS.has(tag)) return text;
  // Times stay strings.
  if (tag === "timestamp" && isTime(text)) return text;
  const [found, value] = resolvePlain(text);
  if (found === tag || (tag === "float" && found === "int")) return value;
  throw new YamlError(`cannot decode !!${found} \`${text}\` as a !!${tag}`);
}

function binaryText(text: string): string {
  try {
    return Buffer.from(canonicalBase64(text), "base64").toString("utf8");
  } catch {
    throw new YamlError("!!binary value contains invalid base64 data");
  }
}

/** Whether a string needs quotes because a YAML parser may read it as another type: Go's parser, or one with base-60 numbers. */
export function isNoText(text: string): boolean {
  return resolvePlain(text)[0] !== "str" || BASE_60.test(text) || isTime(text);
}

const BASE_60 = /^[-+]?\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?$/;
const TIME =
  /^(\d{4})-(\d\d?)-(\d\d?)(?:(?:[Tt](\d\d?):(\d\d?):(\d\d?)(?:[.,]\d+)?(?:Z|[-+]\d\d:\d\d))| (\d\d?):(\d\d?):(\d\d?)(?:[.,]\d+)?)?$/;

/** Whether Go's parser reads a string as a time: it must be a valid date and time. */
function isTime(text: string): boolean {
  const found = TIME.exec(text);
  if (found === null) return false;
  const [year = 0, month = 0, day = 0, ...clock] = found.slice(1).filter(Boolean).map(Number);
  const [hour = 0, minute = 0, second = 0] = clock;
  const days = new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
  return month >= 1 && month <= 12 && day >= 1 && day <= days && hour < 24 && minute < 60 && second < 60;
}

function resolvePlain(text: string): Resolved {
  const word = WORDS.get(text);
  if (word !== undefined) return word;
  const number = goNumber(text);
  if (number === undefined) return ["str", text];
  return [isWhole(text) ? "int" : "float", number];
}

/** Whether a number is written without fraction and exponent, or in base 16. */
function isWhole(text: string): boolean {
  return /^[-+]?(?:0[xX]|[^.eE]*$)/.test(text);
}

/** Integers as Go parses them: the prefix selects the base, a leading zero means base 8. */
const INTEGER = /^([-+]?)(0[xX][\da-fA-F]+|0[bB][01]+|0[oO]?[0-7]+|0|[1-9]\d*)$/;
const FLOAT = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;
const LEAST = -(2n ** 63n);
const MOST = 2n ** 64n - 1n;

/**
 * The number that Go's parser reads from a plain scalar; undefined if it reads a string. Integers that fit into 64 bits are
 * kept, larger ones become floats, and numbers beyond the range of floats stay strings.
 */
function goNumber(source: string): number | bigint | undefined {
  if (!/^[-+.\d]/.test(source)) return undefined;
  const plain = source.startsWith(".") ? source : source.replaceAll("_", "");
  const integer = integerOf(plain);
  if (integer !== undefined) return Number.isSafeInteger(Number(integer)) ? Number(integer) : integer;
  const float = FLOAT.test(plain) ? Number(plain) : Number.NaN;
  return Number.isFinite(float) ? float : undefined;
}

function integerOf(plain: string): bigint | undefined {
  const [, sign, digits] = INTEGER.exec(plain) ?? [];
  if (digits === undefined || isBeyond64Bits(digits)) return undefined;
  const size = BigInt(/^0\d/.test(digits) ? `0o${digits.slice(1)}` : digits);
  const value = sign === "-" ? -size : size;
  const fits = value >= LEAST && value <= (sign === "" ? MOST : 2n ** 63n - 1n);
  return fits ? value : undefined;
}

/** Whether there are more digits than a 64-bit integer has. Checked first, because parsing a very long bigint is not linear. */
function isBeyond64Bits(digits: string): boolean {
  if (digits.length <= 20) return false;
  const significant = digits.replace(/^0[xXbBoO]?0*/, "").length;
  return significant > (/^0[bB]/.test(digits) ? 64 : 22);
}
