import type { ScalarName } from "../contract/type-table.ts";
import { FloatLiteral } from "../lib/float-literal.ts";
import { isJsonObject } from "../lib/json-object.ts";
import type { DecodeContext, Decoder } from "./decoder.ts";
import type { WrongField } from "./schema-errors.ts";
import type { ScalarShape, Shape } from "./shape.ts";

/** Maximum number of fields that one message names. */
const MOST = 10;

/**
 * Describes the values of a document that do not match their types, by field: `spec.seats: expected an integer, got a string`. For the
 * project's own kinds, whose clients need not know Go. Empty if every single value matches.
 */
export function wrongFields(
  shape: Shape,
  value: unknown,
  context: DecodeContext,
  decoderOf: (scalar: ScalarShape) => Decoder,
): WrongField[] {
  const found: WrongField[] = [];
  const walk = (type: Shape, part: unknown, path: string): void => {
    if (part === null || part === undefined || found.length === MOST) return;
    switch (type.kind) {
      case "scalar":
        if (!fits(decoderOf(type), part, context)) found.push(wrongField(path, EXPECTED[type.scalar], part));
        return;
      case "list":
        if (!Array.isArray(part)) found.push(wrongField(path, "a list", part));
        else for (const [index, item] of part.entries()) walk(type.element, item, `${path}[${index}]`);
        return;
      case "map":
        if (!isJsonObject(part)) found.push(wrongField(path, "an object", part));
        else for (const [key, item] of Object.entries(part)) walk(type.element, item, `${path}[${key}]`);
        return;
      case "struct": {
        if (!isJsonObject(part)) {
          found.push(wrongField(path, "an object", part));
          return;
        }
        const members: object = part;
        for (const field of type.flatFields) {
          if (!Object.hasOwn(members, field.name)) continue;
          const member = (members as Record<string, unknown>)[field.name];
          walk(field.type, member, path === "" ? field.name : `${path}.${field.name}`);
        }
      }
    }
  };
  walk(shape, value, "");
  return found;
}

/** Returns the error of apiVersion and kind of a document: both must be strings in an object. */
export function wrongTypeMeta(value: unknown): WrongField | undefined {
  if (!isJsonObject(value)) return wrongField("", "an object", value);
  const { apiVersion, kind } = value as { readonly apiVersion?: unknown; readonly kind?: unknown };
  const isWrong = (part: unknown): boolean => part !== undefined && part !== null && typeof part !== "string";
  if (isWrong(apiVersion)) return wrongField("apiVersion", "a string", apiVersion);
  return isWrong(kind) ? wrongField("kind", "a string", kind) : undefined;
}

export function describeWrong(fields: readonly WrongField[]): string {
  return fields.map(({ field, problem }) => (field === "" ? problem : `${field}: ${problem}`)).join("; ");
}

const EXPECTED: Readonly<Record<ScalarName, string>> = {
  string: "a string",
  boolean: "true or false",
  int32: "an integer of 32 bits",
  int64: "an integer of 64 bits",
  double: "a number",
  bytes: "a string in base64",
  time: "a time such as 2006-01-02T15:04:05Z",
  microTime: "a time such as 2006-01-02T15:04:05.000000Z",
  duration: "a duration such as 1h30m",
  quantity: "a quantity such as 500m or 2Gi",
  intOrString: "an integer or a string",
  rawObject: "an object",
  json: "a value",
  fieldsV1: "an object",
  schemaOrArray: "a schema or a list of schemas",
  schemaOrBool: "a schema, true or false",
  schemaOrStringArray: "a schema or a list of strings",
};

function fits(decode: Decoder, value: unknown, context: DecodeContext): boolean {
  try {
    decode(value, context);
    return true;
  } catch {
    return false;
  }
}

/** Describes a field whose value has a different type than expected. */
export function wrongField(field: string, expected: string, value: unknown): WrongField {
  // The size of an integer is relevant only to numbers.
  const wanted = expected.startsWith("an integer of") && !isNumber(value) ? "an integer" : expected;
  // A value of the right JSON type is shown, because only its text reveals the error.
  const isShown = isNumber(value) || (typeof value === "string" && / such as |base64/.test(expected));
  const given = isShown ? shown(value) : kindOf(value);
  return { field, problem: `expected ${wanted}, got ${given}` };
}

function isNumber(value: unknown): boolean {
  return typeof value === "number" || typeof value === "bigint" || value instanceof FloatLiteral;
}

/** Maximum length of a value that is shown in full. */
const LONGEST = 64;

function shown(value: unknown): string {
  const text =
    typeof value === "string" ? JSON.stringify(value) : value instanceof FloatLiteral ? value.text : `${value}`;
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  return typeof value === "boolean" ? String(value) : `a ${typeof value}`;
}
