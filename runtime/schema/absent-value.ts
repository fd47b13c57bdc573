import type { ScalarName } from "../contract/type-table.ts";
import type { FieldShape, Shape, StructShape } from "./shape.ts";
import type { PlainObject } from "./type-schema.ts";

/** Returns the function that creates the JSON value of an always-written field that is not set. */
export function absentValue(field: FieldShape): () => unknown {
  if (field.tracked) return () => null;
  const { type } = field;
  // A required list or map that may be empty is empty when it is not set.
  if (field.required && field.markers.minItems === 0) return () => [];
  if (field.required && field.markers.minProperties === 0) return () => ({});
  // Go prints a nil list, map or byte slice as null, and also a zero time.
  if (type.kind === "list" || type.kind === "map") return () => null;
  if (type.kind === "scalar" && type.scalar === "bytes") return () => null;
  return () => zeroValue(type);
}

/** Returns the zero value of a type as JSON prints it: the value that null stands for inside a list or map. */
export function zeroValue(shape: Shape): unknown {
  switch (shape.kind) {
    case "struct":
      return emptyObject(shape);
    case "list":
    case "map":
      return null;
    case "scalar":
      return ZEROS[shape.scalar];
  }
}

const ZEROS = {
  string: "",
  boolean: false,
  int32: 0,
  int64: 0,
  double: 0,
  bytes: "",
  time: null,
  microTime: null,
  duration: "0s",
  quantity: "0",
  intOrString: 0,
  rawObject: null,
  json: null,
  fieldsV1: null,
  schemaOrArray: null,
  schemaOrBool: false,
  schemaOrStringArray: null,
} as const;

/** Returns the struct with no fields set: only fields that are always written. */
export function emptyObject(shape: StructShape): PlainObject {
  let fields = alwaysWritten.get(shape);
  if (fields === undefined) {
    fields = shape.flatFields
      .filter(({ always }) => always)
      .map((field) => ({ name: field.name, absent: absentValue(field) }));
    alwaysWritten.set(shape, fields);
  }
  const object: PlainObject = {};
  for (const { name, absent } of fields) object[name] = absent();
  return object;
}

/** Cache by struct. Most structs have few such fields or none. */
const alwaysWritten = new WeakMap<StructShape, { readonly name: string; readonly absent: () => unknown }[]>();

/** Whether Go's omitempty would omit a decoded value. */
export function isEmpty(value: unknown): boolean {
  if (typeof value !== "object") return value === "" || value === 0 || value === false || value === undefined;
  if (value === null) return true;
  if (Array.isArray(value)) return value.length === 0;
  for (const _ in value) return false;
  return true;
}

/** Scalars that omitempty omits when they are zero. The other scalars are structs in Go, which omitempty never omits. */
const OMITTED: ReadonlySet<ScalarName> = new Set<ScalarName>([
  "string",
  "boolean",
  "int32",
  "int64",
  "double",
  "bytes",
  "time",
  "microTime",
]);

/** Whether a field keeps a value that is zero: tracked scalars and structs do. Empty lists and maps are never kept, whatever their Go type. */
export function keepsZero(field: FieldShape): boolean {
  if (field.type.kind === "struct") return true;
  return field.type.kind === "scalar" && (field.tracked || !OMITTED.has(field.type.scalar));
}
