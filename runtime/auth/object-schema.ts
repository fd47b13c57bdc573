import type { CelSchema, ObjectSchema } from "../cel/schema/cel-schema.ts";

/** An object that expressions may look into, by the types of its fields. */
export function objectSchema(name: string, fields: Readonly<Record<string, CelSchema>>): ObjectSchema {
  return {
    kind: "object",
    name,
    property: (field) => (Object.hasOwn(fields, field) ? fields[field] : undefined),
    propertyNames: () => Object.keys(fields),
  };
}
