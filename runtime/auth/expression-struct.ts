import type { CelType, StructField, StructType } from "../cel/types/cel-type.ts";

/** An object that expressions may look into. Fields are called what they are in JSON, reserved words such as `namespace` too. */
export function expressionStruct(name: string, types: Readonly<Record<string, CelType>>): StructType {
  const fields = new Map<string, StructField>(
    Object.entries(types).map(([jsonName, type]) => [jsonName, { jsonName, type }]),
  );
  const find = (field: string) => fields.get(field);
  return { kind: "struct", name, identity: name, field: find, property: find, fields: () => fields.values() };
}
