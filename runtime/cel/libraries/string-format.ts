import { isMap, mapGet, mapKeys, type TypeValue } from "../values/containers.ts";
import { type EvaluationError, invalidArgument } from "../values/evaluation-error.ts";
import { kindOfValue, typeNameOf } from "../values/kinds.ts";
import { Double, plainDecimal, Uint } from "../values/numbers.ts";

/** `"%s has %d".format([name, count])`: the clauses of printf that CEL knows, over dyn values. */
export function formatString(template: string, args: readonly unknown[]): string {
  let next = 0;
  const result = template.replace(
    /%(?:%|(\.\d+)?([\s\S]?))/g,
    (clause, precision: string | undefined, verb: string) => {
      if (clause === "%%") return "%";
      if (verb === "" || verb === undefined) throw failed("unexpected end of string");
      if (next >= args.length) throw failed(`index ${next} out of range`);
      const digits = precision === undefined ? 6 : Number(precision.slice(1));
      return formatClause(verb, args[next++], digits);
    },
  );
  return result;
}

const failed = (message: string): EvaluationError => invalidArgument(`error during formatting: ${message}`);

function formatClause(verb: string, value: unknown, precision: number): string {
  switch (verb) {
    case "s":
      return display(value);
    case "d":
      return decimal(value);
    case "f":
      return fixed(value, precision);
    case "e":
      return scientific(value, precision);
    case "b":
      return typeof value === "boolean"
        ? String(Number(value))
        : integer(value, "binary", "integers and bools").toString(2);
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
function display(value: unknown): string {
  const kind = kindOfValue(value);
  switch (kind) {
    case "list":
      return `[${(value as unknown[]).map(display).join(", ")}]`;
    case "map":
      return displayMap(value);
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

function displayMap(value: unknown): string {
  if (!isMap(value)) return "";
  const pairs = mapKeys(value).map((key): [string, string] => {
    if (!["string", "bool", "int", "uint"].includes(kindOfValue(key)))
      throw failed(`no formatting function for map key of type ${typeNameOf(key)}`);
    return [display(key), display(mapGet(value, key))];
  });
  pairs.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${pairs.map(([key, item]) => `${key}: ${item}`).join(", ")}}`;
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

function fixed(value: unknown, precision: number): string {
  const number = double(value, "fixed-point");
  if (!Number.isFinite(number)) return displayDouble(number);
  if (precision > 100) throw failed("precision too large");
  return Math.abs(number) < 1e21 ? roundHalfEven(number, precision) : `${BigInt(number)}.${"0".repeat(precision)}`;
}

/** `toFixed` takes the larger of two equally near numbers; Go takes the one whose last digit is even. */
function roundHalfEven(number: number, precision: number): string {
  const exact = number.toFixed(Math.min(100, precision + 60));
  const end = exact.indexOf(".") + 1 + precision;
  if (!/^50*$/.test(exact.slice(end))) return number.toFixed(precision);
  const truncated = exact.slice(0, end).replace(/\.$/, "");
  return Number(truncated.at(-1)) % 2 === 0 ? truncated : number.toFixed(precision);
}

function scientific(value: unknown, precision: number): string {
  const number = double(value, "scientific");
  if (!Number.isFinite(number)) return displayDouble(number);
  if (precision > 100) throw failed("precision too large");
  return number.toExponential(precision).replace(/e([+-])(\d)$/, "e$10$2");
}

function hexadecimal(value: unknown): string {
  if (typeof value === "string") return Buffer.from(value).toString("hex");
  if (value instanceof Uint8Array) return Buffer.from(value).toString("hex");
  return integer(value, "hex", "integers, byte buffers, and strings").toString(16);
}
