import type { CelType, StructField, StructType } from "../types/cel-type.ts";
import type { CelSchema, ListSchema, MapSchema, ObjectSchema, StringSchema } from "./cel-schema.ts";
import { escapeName } from "./escaping.ts";

/** Size limit of requests, which bounds the size of every value. */
export const MAX_REQUEST_BYTES = 3 * 1024 * 1024;

/** Minimum size of the JSON of each kind, in bytes. */
const MIN_BYTES = { boolean: 4, number: 1, string: 2, duration: 3, date: 12, dateTime: 21, container: 2, any: 1 };
const MAX_TIME_BYTES = { duration: 32, date: 12, "date-time": 32 };

const types = new WeakMap<CelSchema, CelType | null>();

/** Returns the type of a schema's values. Undefined for data that expressions cannot access. */
export function typeOfSchema(schema: CelSchema): CelType | undefined {
  const known = types.get(schema);
  if (known !== undefined) return known ?? undefined;
  const type = makeType(schema);
  types.set(schema, type ?? null);
  return type;
}

function makeType(schema: CelSchema): CelType | undefined {
  switch (schema.kind) {
    case "object":
      return structOf(schema);
    case "map":
      return mapOfSchema(schema);
    case "list":
      return listOfSchema(schema);
    case "string":
      return stringOf(schema);
    case "boolean":
      return bounded("bool", 0, MIN_BYTES.boolean);
    case "integer":
      return bounded("int", 0, MIN_BYTES.number);
    case "number":
      return bounded("double", 0, MIN_BYTES.number);
    case "intOrString":
      return bounded("dyn", MAX_REQUEST_BYTES - 2, MIN_BYTES.any);
    case "any":
      return { kind: "dyn" };
    case "unknown":
      return undefined;
  }
}

type ScalarKind = "bool" | "int" | "double" | "dyn" | "string" | "bytes" | "timestamp" | "duration";

function bounded(kind: ScalarKind, maxElements: number, minSerializedSize: number): CelType {
  return { kind, bounds: { maxElements, minSerializedSize } };
}

function stringOf({ format, maxLength, enum: values }: StringSchema): CelType {
  const longest = MAX_REQUEST_BYTES - 2;
  const limit = maxLength === undefined ? undefined : Math.max(0, maxLength);
  switch (format) {
    case "byte":
      return bounded("bytes", limit ?? longest, MIN_BYTES.string);
    case "duration":
      return bounded("duration", MAX_TIME_BYTES.duration, MIN_BYTES.duration);
    case "date":
      return bounded("timestamp", MAX_TIME_BYTES.date, MIN_BYTES.date);
    case "date-time":
      return bounded("timestamp", MAX_TIME_BYTES["date-time"], MIN_BYTES.dateTime);
  }
  // A character takes up to four bytes, and requests are limited in bytes.
  if (limit !== undefined) return bounded("string", limit * 4, MIN_BYTES.string);
  const choices = (values ?? []).map((value) => Buffer.byteLength(value));
  return bounded("string", choices.length > 0 ? Math.max(...choices) : longest, MIN_BYTES.string);
}

function listOfSchema(schema: ListSchema): CelType | undefined {
  const element = typeOfSchema(schema.items);
  if (element === undefined) return undefined;
  const fitting = Math.floor((MAX_REQUEST_BYTES - 2) / (minBytes(element) + 1));
  const maxElements = schema.maxItems === undefined ? fitting : Math.max(0, schema.maxItems);
  const bounds = { maxElements, minSerializedSize: MIN_BYTES.container };
  const { listType, listMapKeys = [] } = schema;
  if (listType === "set") return { kind: "list", element, bounds, topology: { type: "set" } };
  if (listType === "map") return { kind: "list", element, bounds, topology: { type: "map", keys: listMapKeys } };
  return { kind: "list", element, bounds };
}

function mapOfSchema(schema: MapSchema): CelType | undefined {
  const value = typeOfSchema(schema.values);
  if (value === undefined) return undefined;
  const fitting = Math.floor((MAX_REQUEST_BYTES - 2) / (minBytes(value) + 6));
  const maxElements = schema.maxProperties === undefined ? fitting : Math.max(0, schema.maxProperties);
  const key = bounded("string", 0, MIN_BYTES.string);
  return { kind: "map", key, value, bounds: { maxElements, minSerializedSize: MIN_BYTES.container } };
}

/** Minimum size of a value of a type in JSON. */
export function minBytes(type: CelType): number {
  return type.bounds?.minSerializedSize ?? MIN_BYTES.any;
}

const STRING: CelSchema = { kind: "string" };
const METADATA: ObjectSchema = {
  kind: "object",
  name: "metadata",
  property: (name) => (name === "name" || name === "generateName" ? STRING : undefined),
  propertyNames: () => ["name", "generateName"],
};
const ROOT_PROPERTIES: Record<string, CelSchema> = { apiVersion: STRING, kind: STRING, metadata: METADATA };

/** Returns the properties that a resource has in addition to, or instead of, those it declares. Empty if it declares all required ones. */
function rootProperties(schema: ObjectSchema): Record<string, CelSchema> {
  if (schema.isResource !== true) return {};
  const isString = (part: CelSchema | undefined) => part?.kind === "string";
  const metadata = schema.property("metadata");
  const declaresAll =
    isString(schema.property("kind")) &&
    isString(schema.property("apiVersion")) &&
    metadata?.kind === "object" &&
    isString(metadata.property("name")) &&
    isString(metadata.property("generateName"));
  return declaresAll ? {} : ROOT_PROPERTIES;
}

function structOf(schema: ObjectSchema): StructType {
  const fields = new Map<string, StructField>();
  let always: Record<string, CelSchema> | undefined;
  const root = () => {
    always ??= rootProperties(schema);
    return always;
  };
  const property = (jsonName: string): StructField | undefined => {
    const known = fields.get(jsonName);
    if (known !== undefined) return known;
    const described = Object.hasOwn(root(), jsonName) ? root()[jsonName] : schema.property(jsonName);
    const type = described === undefined ? undefined : typeOfSchema(described);
    if (type === undefined) return undefined;
    const escapedName = escapeName(jsonName);
    const field = {
      jsonName,
      type,
      ...(escapedName === undefined ? {} : { escapedName }),
      ...(described?.nullable === true ? { nullable: true } : {}),
    };
    fields.set(jsonName, field);
    return field;
  };
  const names = () => new Set([...schema.propertyNames(), ...Object.keys(root())]);
  let byEscapedName: Map<string, string> | undefined;
  return {
    kind: "struct",
    name: schema.name ?? "object",
    isNamed: schema.name !== undefined,
    identity: schema.name ?? schema,
    nullIsAbsent: true,
    property,
    field(escapedName) {
      byEscapedName ??= new Map([...names()].map((jsonName) => [escapeName(jsonName) ?? "", jsonName]));
      const jsonName = byEscapedName.get(escapedName);
      return jsonName === undefined ? undefined : property(jsonName);
    },
    fields: () => [...names()].map(property).filter((field) => field !== undefined),
    bounds: { maxElements: 0, minSerializedSize: minObjectBytes(schema) },
  };
}

/** Minimum size of an object: `{}` and every required property for which the server does not set a default. */
function minObjectBytes(schema: ObjectSchema): number {
  let bytes = MIN_BYTES.container;
  for (const name of schema.required ?? []) {
    const property = schema.property(name);
    if (property === undefined || property.hasDefault === true) continue;
    const type = property === schema ? undefined : typeOfSchema(property);
    if (type !== undefined) bytes += name.length + minBytes(type) + 4;
  }
  return bytes;
}
