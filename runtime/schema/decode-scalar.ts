import type { ScalarName } from "../contract/type-table.ts";
import { withRawText } from "../encoding/json/raw-text.ts";
import { DurationError, formatDuration, parseDuration } from "../go/duration.ts";
import { goJson } from "../go/json.ts";
import { Base64Error, canonicalBase64 } from "../lib/base64.ts";
import { compareUtf8 } from "../lib/compare-utf8.ts";
import { FloatLiteral, FloatRangeError, withoutFloatLiterals } from "../lib/float-literal.ts";
import { isJsonObject, type JsonValue } from "../lib/json-object.ts";
import { canonicalQuantity, QuantityError } from "../values/quantity.ts";
import { formatMicroMoment, formatMoment, isZeroTime, parseTime, TimeError } from "../values/times.ts";
import type { Decoder } from "./decoder.ts";
import { DecodeError } from "./schema-errors.ts";
import type { ScalarShape, Shape } from "./shape.ts";
import { type GoKind, TypeMismatch } from "./type-mismatch.ts";

const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

/** Returns the decoder of a scalar. `compile` creates the decoders of schemas in fields that hold a schema or another value. */
export function scalarDecoder(shape: ScalarShape, compile: (shape: Shape) => Decoder): Decoder {
  switch (shape.scalar) {
    case "string":
      return (value) => (typeof value === "string" ? value : mismatch(value, shape.goType, "string"));
    case "boolean":
      return (value) => (typeof value === "boolean" ? value : mismatch(value, shape.goType, "bool"));
    case "int32":
      return (value, context) => decodeInt32(context.restores ? cutOff(value, 32) : value, shape.goType);
    case "int64":
      return (value, context) => decodeInt64(context.restores ? cutOff(value, 64) : value, shape.goType);
    case "schemaOrArray":
    case "schemaOrBool":
    case "schemaOrStringArray":
      return schemaOrOther(shape, compile);
    default:
      return DECODERS[shape.scalar];
  }
}

type PlainScalar = Exclude<
  ScalarName,
  "string" | "boolean" | "int32" | "int64" | "schemaOrArray" | "schemaOrBool" | "schemaOrStringArray"
>;

/** Decoders of types with their own UnmarshalJSON in Go. Their errors name the type that Go decodes first. */
const DECODERS: Readonly<Record<PlainScalar, Decoder>> = {
  double: (value) => {
    if (typeof value === "number") return value;
    const isNumber = typeof value === "bigint" || value instanceof FloatLiteral;
    if (isNumber && Number.isFinite(Number(value))) return Number(value);
    throw new TypeMismatch(value, "float64", "float64", isNumber);
  },
  bytes: (value) => {
    if (Array.isArray(value)) return Buffer.from(value.map(decodeByte)).toString("base64");
    if (typeof value !== "string") throw new TypeMismatch(value, "[]uint8", "slice");
    return translating(() => canonicalBase64(value));
  },
  time: (value) => {
    const text = textOf(value);
    if (CANONICAL_TIME.test(text) && text !== "0001-01-01T00:00:00Z") return text;
    const moment = translating(() => parseTime(text));
    return isZeroTime(moment) ? null : formatMoment(moment);
  },
  microTime: (value) => {
    const moment = translating(() => parseTime(textOf(value), true));
    return isZeroTime(moment) ? null : formatMicroMoment(moment);
  },
  duration: (value) => translating(() => formatDuration(parseDuration(textOf(value)))),
  quantity: (value, { restores }) => translating(() => canonicalQuantity(quantityText(value, restores))),
  intOrString: (given, { restores }) => {
    const value = restores ? mergedNumber(given) : given;
    if (typeof value === "string") return value;
    // Adding zero turns -0 into 0.
    if (Number.isInteger(value) && ((value as number) | 0) === value) return (value as number) + 0;
    throw new TypeMismatch(value, "int32", "itself", true);
  },
  rawObject: (value, { restores, textOf }) => {
    const plain = plainNumbers(value);
    return restores ? sorted(plain) : withRawText(plain, textOf?.(value as object));
  },
  json: plainNumbers,
  // Field sets contain no numbers.
  fieldsV1: (value) => value,
};

/** Dates whose day exists in every month, so that no calendar check is needed. */
const CANONICAL_TIME = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;

function mismatch(value: unknown, goType: string, wanted: GoKind): never {
  throw new TypeMismatch(value, goType, wanted);
}

/** Truncates whole numbers to integers of this many bits, as Go's conversion does. */
function cutOff(value: unknown, bits: 32 | 64): unknown {
  const number = value instanceof FloatLiteral ? Number(value.text) : value;
  const isWhole = typeof number === "bigint" || Number.isInteger(number);
  if (!isWhole) return value;
  const whole = BigInt(number as number | bigint);
  // A number outside the range of int64 is a float, and becomes the minimum of int64.
  const cut = BigInt.asIntN(bits, whole < INT64_MIN || whole > INT64_MAX ? INT64_MIN : whole);
  return Number.isSafeInteger(Number(cut)) ? Number(cut) : cut;
}

/** Merged raw data is printed anew: members are sorted, and numbers outside the range of int64 become floats. */
function sorted(value: unknown): unknown {
  if (typeof value === "bigint") return mergedNumber(value);
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).sort(([a], [b]) => compareUtf8(a, b));
  return Object.fromEntries(members.map(([key, member]) => [key, sorted(member)]));
}

/** Merged numbers are int64 or floats, regardless of their original notation. */
function mergedNumber(value: unknown): unknown {
  if (value instanceof FloatLiteral) return Number(value.text);
  return typeof value === "bigint" && (value < INT64_MIN || value > INT64_MAX) ? Number(value) : value;
}

/** Decodes one number of a list that represents bytes. */
function decodeByte(value: unknown): number {
  if (value === null) return 0;
  if (typeof value === "number" && Number.isInteger(value) && value >= 0 && value < 256) return value;
  throw new TypeMismatch(value, "uint8", "uint8", true);
}

function decodeInt32(value: unknown, goType: string): number {
  // Adding zero turns -0 into 0, as Go does.
  if (typeof value === "number" && (value | 0) === value) return value + 0;
  throw new TypeMismatch(value, goType, "int32", true);
}

function decodeInt64(value: unknown, goType: string): number | bigint {
  if (typeof value === "number" && Number.isSafeInteger(value)) return value + 0;
  if (typeof value === "bigint" && value >= INT64_MIN && value <= INT64_MAX) {
    const small = Number(value);
    return Number.isSafeInteger(small) ? small : value;
  }
  throw new TypeMismatch(value, goType, "int64", true);
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  throw new TypeMismatch(value, "string", "itself");
}

const KNOWN_ERRORS = [QuantityError, TimeError, DurationError, FloatRangeError];

/** Characters that JSON escapes. */
const ESCAPED = /["\\]|\p{Cc}/u;

/** Returns the text of a quantity, which may also be a number. Go reads the JSON text of the value, including escapes. */
export function quantityText(given: unknown, restores = false): string {
  const value = restores ? mergedNumber(given) : given;
  if (typeof value === "string") return (ESCAPED.test(value) ? JSON.stringify(value).slice(1, -1) : value).trim();
  if (value instanceof FloatLiteral) return value.text;
  return typeof value === "object" ? goJson(value as JsonValue) : String(value);
}

function plainNumbers(value: unknown): unknown {
  return translating(() => withoutFloatLiterals(value));
}

function translating<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    const isKnown = error instanceof Error && KNOWN_ERRORS.some((known) => error instanceof known);
    if (error instanceof Base64Error)
      throw new DecodeError(error.message, `error decoding from json: ${error.message}`);
    throw isKnown ? new DecodeError(error.message) : error;
  }
}

function schemaOrOther(shape: ScalarShape, compile: (shape: Shape) => Decoder): Decoder {
  let compiled: Decoder | undefined;
  // These types have their own UnmarshalJSON in Go: unknown fields are not reported, and errors do not contain the path inside them.
  const schema: Decoder = (value, context) => {
    compiled ??= compile(shape.schema());
    try {
      return compiled(value, { ...context, problems: undefined, duplicates: undefined, restores: false });
    } catch (error) {
      if (!(error instanceof TypeMismatch)) throw error;
      if (context.restores) throw new DecodeError(error.describe());
      error.forgetPlace();
      throw error;
    }
  };
  if (shape.scalar === "schemaOrBool") {
    return (value, context) => {
      if (typeof value === "boolean") return value;
      if (typeof value === "object" && !Array.isArray(value)) return schema(value, context);
      throw new DecodeError("boolean or JSON schema expected");
    };
  }
  const ofStrings = shape.scalar === "schemaOrStringArray";
  return (value, context) => {
    if (Array.isArray(value)) return ofStrings ? value.map(textOf) : value.map((item) => schema(item ?? {}, context));
    // Any other value is read as neither form and is printed as null.
    return typeof value === "object" ? schema(value, context) : null;
  };
}
