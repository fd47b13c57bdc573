import type { CelType, StructField, StructType } from "../cel/types/cel-type.ts";

/** Creates a CEL struct type. Fields have their JSON names, even if they are reserved words such as `namespace`. */
export function expressionStruct(name: string, types: Readonly<Record<string, CelType>>): StructType {
  const fields = new Map<string, StructField>(
    Object.entries(types).map(([jsonName, type]) => [jsonName, { jsonName, type }]),
  );
  const find = (field: string) => fields.get(field);
  return { kind: "struct", name, identity: name, field: find, property: find, fields: () => fields.values() };
}
