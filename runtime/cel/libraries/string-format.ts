import { goQuote } from "../../lib/go-quote.ts";
import { isMap, mapGet, mapKeys, type TypeValue } from "../values/containers.ts";
import { type EvaluationError, invalidArgument } from "../values/evaluation-error.ts";
import { kindOfValue, typeNameOf } from "../values/kinds.ts";
import { Double, formatDouble, plainDecimal, Uint } from "../values/numbers.ts";

/** How numbers and the elements of lists and maps are written. */
export interface FormatStyle {
  fixed(number: number, precision: number): string;
  scientific(number: number, precision: number): string;
  /** An element of a list or map, or a key. */
  element(value: unknown): string;
  readonly keySeparator: string;
}

/** `"%s has %d".format([name, count])`: the clauses of printf that CEL knows, over dyn values. */
export function stringFormatter(style: FormatStyle): (template: string, args: readonly unknown[]) => string {
  return (template, args) => {
    let next = 0;
    return template.replace(/%(?:%|(\.\d+)?([\s\S]?))/g, (clause, precision: string | undefined, verb: string) => {
      if (clause === "%%") return "%";
      if (verb === "" || verb === undefined) throw failed("unexpected end of string");
      if (next >= args.length) throw failed(`index ${next} out of range`);
      const digits = precision === undefined ? DEFAULT_PRECISION : Number(precision.slice(1));
      if (digits > MAX_PRECISION) throw failed("precision too large");
      return formatClause(style, verb, args[next++], digits);
    });
  };
}

const DEFAULT_PRECISION = 6;
const MAX_PRECISION = 100;
const failed = (message: string): EvaluationError => invalidArgument(`error during formatting: ${message}`);

function formatClause(style: FormatStyle, verb: string, value: unknown, precision: number): string {
  switch (verb) {
    case "s":
      return display(value, style);
    case "d":
      return decimal(value);
    case "f":
      return style.fixed(double(value, "fixed-point"), precision);
    case "e":
      return style.scientific(double(value, "scientific"), precision);
    case "b":
      if (typeof value === "boolean") return String(Number(value));
      return integer(value, "binary", "integers and bools").toString(2);
    case "o":
      return integer(value, "octal", "integers").toString(8);
    case "x":
      return hexadecimal(value);
    case "X":
      return hexadecimal(value).toUpperCase();
    default:
      throw failed(`could not parse formatting clause: unrecognized formatting clause "${verb}"`);
  }
}

/** The text of any value that has one. */
export function display(value: unknown, style: FormatStyle): string {
  const kind = kindOfValue(value);
  switch (kind) {
    case "list":
      return `[${(value as unknown[]).map((item) => style.element(item)).join(", ")}]`;
    case "map":
      return displayMap(value, style);
    case "bytes":
      return new TextDecoder().decode(value as Uint8Array);
    case "double":
      return displayDouble(value instanceof Double ? value.value : (value as number));
    case "type":
      return (value as TypeValue).name;
    case "opaque":
    case "unknown":
      throw failed(
        `string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps, was given ${typeNameOf(value)}`,
      );
    default:
      return String(value);
  }
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

function decimal(value: unknown): string {
  const kind = kindOfValue(value);
  if (kind === "double") {
    const number = value instanceof Double ? value.value : (value as number);
    if (!Number.isFinite(number)) return displayDouble(number);
  }
  return integer(value, "decimal", "integers").toString();
}

function integer(value: unknown, clause: string, kinds: string): bigint {
  if (value instanceof Uint) return value.value;
  if (kindOfValue(value) === "int") return BigInt(value as number | bigint);
  throw failed(`${clause} clause can only be used on ${kinds}, was given ${typeNameOf(value)}`);
}

function double(value: unknown, clause: string): number {
  if (value instanceof Double) return value.value;
  if (typeof value === "number") return value;
  if (value instanceof Uint || typeof value === "bigint") return Number(value instanceof Uint ? value.value : value);
  throw failed(`${clause} clause can only be used on doubles, was given ${typeNameOf(value)}`);
}

/** `toFixed` takes the larger of two equally near numbers; Go takes the one whose last digit is even. */
function roundHalfEven(number: number, precision: number): string {
  const exact = number.toFixed(Math.min(100, precision + 60));
  const end = exact.indexOf(".") + 1 + precision;
  if (!/^50*$/.test(exact.slice(end))) return number.toFixed(precision);
  const truncated = exact.slice(0, end).replace(/\.$/, "");
  return Number(truncated.at(-1)) % 2 === 0 ? truncated : number.toFixed(precision);
}

function hexadecimal(value: unknown): string {
  if (typeof value === "string") return Buffer.from(value).toString("hex");
  if (value instanceof Uint8Array) return Buffer.from(value).toString("hex");
  return integer(value, "hex", "integers, byte buffers, and strings").toString(16);
}

/** As the language definition has it. */
export const PLAIN_STYLE: FormatStyle = {
  keySeparator: ": ",
  element: (value) => display(value, PLAIN_STYLE),
  fixed(number, precision) {
    if (!Number.isFinite(number)) return displayDouble(number);
    return Math.abs(number) < 1e21 ? roundHalfEven(number, precision) : `${BigInt(number)}.${"0".repeat(precision)}`;
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
  keySeparator: ":",
  fixed(number, precision) {
    const digits = { minimumFractionDigits: precision, maximumFractionDigits: precision };
    return new Intl.NumberFormat("en-US", { ...digits, roundingMode: "halfEven" }).format(number);
  },
  scientific(number) {
    if (!Number.isFinite(number)) return LOCALIZED_STYLE.fixed(number, 0);
    const [mantissa = "", exponent = ""] = number.toExponential(DEFAULT_PRECISION).split("e");
    const power = `${exponent.startsWith("-") ? "-" : ""}${exponent.slice(1).padStart(2, "0")}`;
    return `${mantissa}×10${[...power].map((character) => SUPERSCRIPTS[character]).join("")}`;
  },
  element(value) {
    switch (kindOfValue(value)) {
      case "string":
        return goQuote(value as string);
      case "bytes":
        return `b${goQuote(new TextDecoder().decode(value as Uint8Array))}`;
      case "double": {
        const number = value instanceof Double ? value.value : (value as number);
        return Number.isFinite(number) ? number.toFixed(DEFAULT_PRECISION) : goQuote(formatDouble(number));
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
