import type { JSONSchemaProps } from "./json-schema.ts";

/** The schema of items, where there is a single one. */
export function itemsOf(schema: JSONSchemaProps): JSONSchemaProps | undefined {
  const items = schema.items as JSONSchemaProps | readonly JSONSchemaProps[] | undefined;
  return items === undefined || Array.isArray(items) ? undefined : (items as JSONSchemaProps);
}

/** The schemas of items that are listed one by one, which is not supported. */
export function listedItems(schema: JSONSchemaProps): readonly JSONSchemaProps[] {
  const items = schema.items as JSONSchemaProps | readonly JSONSchemaProps[] | undefined;
  return Array.isArray(items) ? items : [];
}

/** The schema of additional properties, where it is more than a yes or no. */
export function additionalOf(schema: JSONSchemaProps): JSONSchemaProps | undefined {
  const additional = schema.additionalProperties as JSONSchemaProps | boolean | undefined;
  return typeof additional === "object" ? additional : undefined;
}

/** The schemas right below one, each with the step that leads to it. */
export function schemasBelow(schema: JSONSchemaProps): [step: string, schema: JSONSchemaProps][] {
  const below: [string, JSONSchemaProps][] = [];
  const additional = additionalOf(schema);
  if (additional !== undefined) below.push(["additionalProperties", additional]);
  for (const [name, child] of Object.entries(schema.properties ?? {})) below.push([`properties[${name}]`, child]);
  if (schema.not !== undefined) below.push(["not", schema.not]);
  for (const part of ["allOf", "oneOf", "anyOf"] as const) {
    for (const [index, child] of (schema[part] ?? []).entries()) below.push([`${part}[${index}]`, child]);
  }
  for (const [name, child] of Object.entries(schema.definitions ?? {})) below.push([`definitions[${name}]`, child]);
  const items = itemsOf(schema);
  if (items !== undefined) below.push(["items", items]);
  for (const [index, child] of listedItems(schema).entries()) below.push([`items[${index}]`, child]);
  for (const [name, child] of Object.entries(schema.dependencies ?? {})) {
    if (!Array.isArray(child)) below.push([`dependencies[${name}]`, child as JSONSchemaProps]);
  }
  return below;
}

/** Whether something holds for a schema or for any below it. */
export function someSchema(schema: JSONSchemaProps | undefined, holds: (schema: JSONSchemaProps) => boolean): boolean {
  return schema !== undefined && (holds(schema) || schemasBelow(schema).some(([, child]) => someSchema(child, holds)));
}
