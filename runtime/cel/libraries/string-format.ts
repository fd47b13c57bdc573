import { isUtf8 } from "node:buffer";
import { goFloat } from "../../go/float.ts";
import { goQuote } from "../../go/quote.ts";
import { isMap, mapGet, mapKeys, type TypeValue } from "../values/containers.ts";
import { boundLength, type EvaluationError, invalidArgument } from "../values/evaluation-error.ts";
import { kindOfValue, typeNameOf } from "../values/kinds.ts";
import { Double, plainDecimal, Uint } from "../values/numbers.ts";
import { clauseMismatch, DEFAULT_PRECISION, type FormatVerb, parseTemplate } from "./format-template.ts";

/** Notation of numbers and of elements of lists and maps, and the numbers that clauses accept. */
export interface FormatStyle {
  fixed(number: number, precision: number): string;
  scientific(number: number, precision: number): string;
  double(number: number): string;
  /** Prints an element or key of a list or map. */
  element(value: unknown): string;
  readonly keySeparator: string;
  /** Whether `%d` accepts infinite doubles, and `%f` and `%e` accept integers but not strings such as `NaN`. */
  readonly mixesNumbers: boolean;
}

/** Creates the implementation of `"%s has %d".format([name, count])`, with the clauses that CEL supports, over dyn values. */
export function stringFormatter(style: FormatStyle): (template: string, args: readonly unknown[]) => string {
  return (template, args) => {
    const { texts, clauses, problem } = parseTemplate(template);
    let text = texts[0] ?? "";
    for (const [i, { verb, precision }] of clauses.entries()) {
      if (i >= args.length) throw invalidArgument(`index ${i} out of range`);
      text += formatClause(style, verb, args[i], precision) + (texts[i + 1] ?? "");
      boundLength(text.length);
    }
    if (problem !== undefined)
      throw invalidArgument(args.length > clauses.length ? problem : `index ${clauses.length} out of range`);
    return text;
  };
}

const mismatch = (verb: FormatVerb, value: unknown): EvaluationError => failed(clauseMismatch(verb, typeNameOf(value)));
const failed = (message: string): EvaluationError => invalidArgument(`error during formatting: ${message}`);

function formatClause(style: FormatStyle, verb: FormatVerb, value: unknown, precision: number): string {
  switch (verb) {
    case "s":
      return display(value, style);
    case "d":
      return decimal(value, style);
    case "f":
      return style.fixed(double(value, verb, style), precision);
    case "e":
      return style.scientific(double(value, verb, style), precision);
    case "b":
      return typeof value === "boolean" ? String(Number(value)) : integer(value, verb).toString(2);
    case "o":
      return integer(value, verb).toString(8);
    case "x":
      return hexadecimal(value);
    case "X":
      return hexadecimal(value).toUpperCase();
  }
}

/** Prints a value of any printable type. */
function display(value: unknown, style: FormatStyle): string {
  const kind = kindOfValue(value);
  switch (kind) {
    case "list":
      return `[${(value as unknown[]).map((item) => style.element(item)).join(", ")}]`;
    case "map":
      return displayMap(value, style);
    case "bytes":
      return decoded(value as Uint8Array);
    case "double":
      return style.double(value instanceof Double ? value.value : (value as number));
    case "type":
      return (value as TypeValue).name;
    case "opaque":
    case "unknown":
      throw mismatch("s", value);
    default:
      return String(value);
  }
}

/** Decodes bytes as UTF-8. Throws if they are invalid. */
function decoded(bytes: Uint8Array): string {
  if (isUtf8(bytes)) return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  throw failed('could not convert argument "invalid UTF-8 in bytes, cannot convert to string" to string');
}

function displayDouble(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "Infinity" : "-Infinity";
  return plainDecimal(value);
}

function displayMap(value: unknown, style: FormatStyle): string {
  if (!isMap(value)) return "";
  const pairs = mapKeys(value).map((key): [string, string] => {
    if (!["string", "bool", "int", "uint"].includes(kindOfValue(key)))
      throw failed(`no formatting function for map key of type ${typeNameOf(key)}`);
    return [style.element(key), style.element(mapGet(value, key))];
  });
  pairs.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${pairs.map(([key, item]) => `${key}${style.keySeparator}${item}`).join(", ")}}`;
}

function decimal(value: unknown, style: FormatStyle): string {
  if (style.mixesNumbers && kindOfValue(value) === "double") {
    const number = value instanceof Double ? value.value : (value as number);
    if (!Number.isFinite(number)) return displayDouble(number);
  }
  return integer(value, "d").toString();
}

function integer(value: unknown, verb: FormatVerb): bigint {
  if (value instanceof Uint) return value.value;
  if (kindOfValue(value) === "int") return BigInt(value as number | bigint);
  throw mismatch(verb, value);
}

/** Numbers that are passed as strings to clauses for doubles. */
const NAMED = new Set(["NaN", "Infinity", "-Infinity"]);

function double(value: unknown, verb: FormatVerb, style: FormatStyle): number {
  if (value instanceof Double) return value.value;
  const kind = kindOfValue(value);
  if (kind === "double") return value as number;
  if (style.mixesNumbers && (kind === "int" || kind === "uint"))
    return Number(value instanceof Uint ? value.value : value);
  if (!style.mixesNumbers && NAMED.has(value as string)) return Number(value);
  throw mismatch(verb, value);
}

/** Rounds ties to even, as Go does. `toFixed` rounds them up. */
function roundHalfEven(number: number, precision: number): string {
  if (Math.abs(number) >= 1e21) return `${BigInt(number)}${precision === 0 ? "" : `.${"0".repeat(precision)}`}`;
  const exact = number.toFixed(Math.min(100, precision + 60));
  const end = exact.indexOf(".") + 1 + precision;
  if (!/^50*$/.test(exact.slice(end))) return number.toFixed(precision);
  const truncated = exact.slice(0, end).replace(/\.$/, "");
  return isEven(truncated) ? truncated : number.toFixed(precision);
}

/** Keeps the sign of a negative zero and of numbers that are rounded to it. */
function withSign(number: number, precision: number): string {
  const text = roundHalfEven(Math.abs(number), precision);
  return number < 0 || Object.is(number, -0) ? `-${text}` : text;
}

const isEven = (digits: string): boolean => Number(digits.at(-1)) % 2 === 0;

/** Inserts a comma before each group of three digits. The number may have a sign. */
function inThousands(whole: string): string {
  const sign = whole.startsWith("-") ? "-" : "";
  const groups: string[] = [];
  for (let end = whole.length; end > sign.length; end -= 3)
    groups.unshift(whole.slice(Math.max(sign.length, end - 3), end));
  return sign + groups.join(",");
}

/** Like `toExponential`, but rounds ties to even. */
function exponentialHalfEven(number: number, precision: number): string {
  const [digits = "", exponent = ""] = number.toExponential(100).split("e");
  const end = digits.indexOf(".") + 1 + precision;
  const isBetween = /^50*$/.test(digits.slice(end));
  return isBetween && isEven(digits.slice(0, end))
    ? `${digits.slice(0, end)}e${exponent}`
    : number.toExponential(precision);
}

function hexadecimal(value: unknown): string {
  if (typeof value === "string") return Buffer.from(value).toString("hex");
  if (value instanceof Uint8Array) return Buffer.from(value).toString("hex");
  return integer(value, "x").toString(16);
}

/** The style of the language definition. */
export const PLAIN_STYLE: FormatStyle = {
  mixesNumbers: true,
  double: displayDouble,
  keySeparator: ": ",
  element: (value) => display(value, PLAIN_STYLE),
  fixed(number, precision) {
    if (!Number.isFinite(number)) return displayDouble(number);
    return roundHalfEven(number, precision);
  },
  scientific(number, precision) {
    if (!Number.isFinite(number)) return displayDouble(number);
    return number.toExponential(precision).replace(/e([+-])(\d)$/, "e$10$2");
  },
};

const SUPERSCRIPTS: Record<string, string> = {
  "-": "⁻",
  ...Object.fromEntries([..."⁰¹²³⁴⁵⁶⁷⁸⁹"].map((digit, i) => [String(i), digit])),
};

/** The style of Kubernetes v1.33: numbers in American notation, elements as CEL literals. */
export const LOCALIZED_STYLE: FormatStyle = {
  mixesNumbers: false,
  double: goFloat,
  keySeparator: ":",
  fixed(number, precision) {
    if (!Number.isFinite(number)) return Number.isNaN(number) ? "NaN" : number > 0 ? "∞" : "-∞";
    // A zero is printed without sign, but a number that is rounded to zero keeps its sign.
    const [whole = "", fraction] = withSign(number === 0 ? 0 : number, precision).split(".");
    const grouped = inThousands(whole);
    return fraction === undefined ? grouped : `${grouped}.${fraction}`;
  },
  // Kubernetes uses the precision as the minimum width.
  scientific(number, precision) {
    if (!Number.isFinite(number)) return LOCALIZED_STYLE.fixed(number, 0).padStart(precision);
    const [mantissa = "", exponent = ""] = exponentialHalfEven(number === 0 ? 0 : number, DEFAULT_PRECISION).split("e");
    const power = `${exponent.startsWith("-") ? "-" : ""}${exponent.slice(1).padStart(2, "0")}`;
    const text = `${mantissa}×10${[...power].map((character) => SUPERSCRIPTS[character]).join("")}`;
    return text.padStart(precision);
  },
  element(value) {
    switch (kindOfValue(value)) {
      case "string":
        return goQuote(value as string);
      case "bytes":
        return `b${goQuote(decoded(value as Uint8Array))}`;
      case "double": {
        const number = value instanceof Double ? value.value : (value as number);
        if (!Number.isFinite(number)) return goQuote(goFloat(number));
        return withSign(number, DEFAULT_PRECISION);
      }
      case "timestamp":
        return `timestamp(${goQuote(String(value))})`;
      case "duration":
        return `duration(${goQuote(String(value))})`;
      default:
        return display(value, LOCALIZED_STYLE);
    }
  },
};
