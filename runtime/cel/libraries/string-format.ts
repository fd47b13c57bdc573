import { isUtf8 } from "node:buffer";
import { goFloat } from "../../go/float.ts";
import { goQuote } from "../../go/quote.ts";
import { isMap, mapGet, mapKeys, type TypeValue } from "../values/containers.ts";
import { boundLength, type EvaluationError, invalidArgument } from "../values/evaluation-error.ts";
import { kindOfValue, typeNameOf } from "../values/kinds.ts";
import { Double, plainDecimal, Uint } from "../values/numbers.ts";
import { clauseMismatch, DEFAULT_PRECISION, type FormatVerb, parseTemplate } from "./format-template.ts";

/** How numbers and the elements of lists and maps are written, and which numbers clauses take. */
export interface FormatStyle {
  fixed(number: number, precision: number): string;
  scientific(number: number, precision: number): string;
  double(number: number): string;
  /** An element of a list or map, or a key. */
  element(value: unknown): string;
  readonly keySeparator: string;
  /** Whether `%d` takes infinite doubles, and `%f` and `%e` take integers but no names of numbers. */
  readonly mixesNumbers: boolean;
}

/** `"%s has %d".format([name, count])`: the clauses of printf that CEL knows, over dyn values. */
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

/** The text of any value that has one. */
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

/** Bytes as text. Throws if they are none. */
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

/** Numbers that are written as strings where a double is wanted. */
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

/** `toFixed` takes the larger of two equally near numbers; Go takes the one whose last digit is even. */
function roundHalfEven(number: number, precision: number): string {
  if (Math.abs(number) >= 1e21) return `${BigInt(number)}${precision === 0 ? "" : `.${"0".repeat(precision)}`}`;
  const exact = number.toFixed(Math.min(100, precision + 60));
  const end = exact.indexOf(".") + 1 + precision;
  if (!/^50*$/.test(exact.slice(end))) return number.toFixed(precision);
  const truncated = exact.slice(0, end).replace(/\.$/, "");
  return isEven(truncated) ? truncated : number.toFixed(precision);
}

/** With the sign of a negative zero, and of what is rounded to it. */
function withSign(number: number, precision: number): string {
  const text = roundHalfEven(Math.abs(number), precision);
  return number < 0 || Object.is(number, -0) ? `-${text}` : text;
}

const isEven = (digits: string): boolean => Number(digits.at(-1)) % 2 === 0;

/** A whole number, which may have a sign, with a comma before each three digits. */
function inThousands(whole: string): string {
  const sign = whole.startsWith("-") ? "-" : "";
  const groups: string[] = [];
  for (let end = whole.length; end > sign.length; end -= 3)
    groups.unshift(whole.slice(Math.max(sign.length, end - 3), end));
  return sign + groups.join(",");
}

/** As `toExponential`, in the same manner. */
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

/** As the language definition has it. */
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

/** As Kubernetes v1.33 has it: numbers in the manner of American English, elements as CEL literals. */
export const LOCALIZED_STYLE: FormatStyle = {
  mixesNumbers: false,
  double: goFloat,
  keySeparator: ":",
  fixed(number, precision) {
    if (!Number.isFinite(number)) return Number.isNaN(number) ? "NaN" : number > 0 ? "∞" : "-∞";
    // A zero has no sign, but a number that is rounded to zero has one.
    const [whole = "", fraction] = withSign(number === 0 ? 0 : number, precision).split(".");
    const grouped = inThousands(whole);
    return fraction === undefined ? grouped : `${grouped}.${fraction}`;
  },
  // Kubernetes takes the precision for the least width.
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
