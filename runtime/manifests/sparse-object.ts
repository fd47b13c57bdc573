import type { TypeRef } from "../contract/type-table.ts";
import type { FieldShape, Shape, Shapes } from "../schema/shape.ts";
import type { PlainObject } from "../schema/type-schema.ts";

/**
 * Removes optional fields with a zero value that the server always writes from a canonical object (`status: {}`, `creationTimestamp: null`). Fields
 * whose zero value differs from unset are kept.
 */
export function sparseObject(shapes: Shapes, type: TypeRef, object: PlainObject): PlainObject {
  return sparse(shapes.struct(type), object) as PlainObject;
}

function sparse(shape: Shape, value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  switch (shape.kind) {
    case "scalar":
      return value;
    case "list":
      return (value as unknown[]).map((item) => sparse(shape.element, item));
    case "map":
      return mapMembers(value as PlainObject, (member) => sparse(shape.element, member));
    case "struct": {
      const fields = new Map(shape.flatFields.map((field) => [field.name, field]));
      const output: PlainObject = {};
      for (const [name, member] of Object.entries(value)) {
        const field = fields.get(name);
        const kept = field === undefined ? member : sparse(field.type, member);
        if (field === undefined || !isUnwritten(field, kept)) output[name] = kept;
      }
      return output;
    }
  }
}

function isUnwritten(field: FieldShape, value: unknown): boolean {
  if (value === null) return true;
  if (!field.always || field.tracked || field.required) return false;
  if (typeof value === "object") return Object.keys(value).length === 0;
  return value === "" || value === 0 || value === false;
}

function mapMembers(object: PlainObject, change: (value: unknown) => unknown): PlainObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}
