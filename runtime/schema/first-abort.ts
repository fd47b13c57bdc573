import type { ScalarName } from "../contract/type-table.ts";
import { isJsonObject } from "../lib/json-object.ts";
import type { Decoder } from "./decoder.ts";
import type { FieldShape, ScalarShape, Shape, StructShape } from "./shape.ts";
import { TypeMismatch } from "./type-mismatch.ts";

/** Types with their own UnmarshalJSON in Go. Decoding stops at the first value that they reject. */
const READ_THEMSELVES: ReadonlySet<ScalarName> = new Set([
  "time",
  "microTime",
  "duration",
  "quantity",
  "intOrString",
  "schemaOrArray",
  "schemaOrBool",
  "schemaOrStringArray",
] as const);

/**
 * Throws the error of the first value in a document that a type with its own UnmarshalJSON rejects. For all other errors, Go keeps the first
 * one and continues: it reports that error only if no error of the former kind follows.
 */
export function throwFirstAbort(shape: Shape, value: unknown, decoderOf: (shape: ScalarShape) => Decoder): void {
  if (value === null || value === undefined || !mayRefuse(shape)) return;
  switch (shape.kind) {
    case "scalar":
      if (READ_THEMSELVES.has(shape.scalar)) decoderOf(shape)(value, NOTHING_WANTED);
      return;
    case "list":
      if (Array.isArray(value)) for (const item of value) throwFirstAbort(shape.element, item, decoderOf);
      return;
    case "map":
      for (const item of Object.values(membersOf(value))) throwFirstAbort(shape.element, item, decoderOf);
      return;
    case "struct": {
      const fields = fieldsOf(shape);
      for (const [key, member] of Object.entries(membersOf(value))) {
        const field = fields.get(key);
        if (field === undefined) continue;
        try {
          throwFirstAbort(field.type, member, decoderOf);
        } catch (error) {
          if (error instanceof TypeMismatch) error.within(shape.name, key);
          throw error;
        }
      }
    }
  }
}

/** Whether a shape can contain such a value. Lists and maps of plain scalars, which may be long, are not traversed. */
function mayRefuse(shape: Shape): boolean {
  if (shape.kind === "list" || shape.kind === "map") return mayRefuse(shape.element);
  return shape.kind === "struct" || READ_THEMSELVES.has(shape.scalar);
}

const knownFields = new WeakMap<StructShape, ReadonlyMap<string, FieldShape>>();

function fieldsOf(shape: StructShape): ReadonlyMap<string, FieldShape> {
  let fields = knownFields.get(shape);
  if (fields === undefined) {
    fields = new Map(shape.flatFields.map((field) => [field.name, field]));
    knownFields.set(shape, fields);
  }
  return fields;
}

const NOTHING_WANTED = {
  problems: undefined,
  duplicates: undefined,
  given: false,
  restores: false,
  reuses: false,
  textOf: undefined,
  ready: undefined,
};

function membersOf(value: unknown): object {
  return isJsonObject(value) ? value : {};
}
