import { cloneJson } from "../../../lib/clone-json.ts";
import { setOwn } from "../../../lib/json-object.ts";
import { createContainsSchema } from "./contains-schema.ts";
import {
  type CustomSchema,
  type Draft,
  type FlatMaps,
  isDraft,
  propertySchema,
  valueSchema,
} from "./structural-schema.ts";

/** Removes, in place, nulls that are not allowed and that no default replaces. */
export function pruneNulls(value: unknown, schema: CustomSchema | undefined, flat: FlatMaps = new Set()): void {
  if (schema === undefined) return;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === "object") pruneNulls(item, schema.items, flat);
  } else if (isDraft(value) && !flat.has(value)) {
    for (const key of Object.keys(value)) {
      if (typeof value[key] !== "object") continue;
      const declared = propertySchema(schema, key);
      const inside = declared ?? valueSchema(schema);
      if (isNullOf(value[key], inside) && inside?.default === undefined) delete value[key];
      else pruneNulls(value[key], inside, flat);
    }
  }
}

const containsDefault = createContainsSchema((schema) => schema.default !== undefined);

/** Sets declared defaults, in place: for absent properties, and for nulls that are not allowed. */
export function fillDefaults(value: unknown, schema: CustomSchema | undefined): void {
  if (schema === undefined || !containsDefault(schema)) return;
  if (Array.isArray(value)) {
    fillItems(value, schema.items);
  } else if (isDraft(value)) {
    fillProperties(value, schema);
    for (const key of Object.keys(value)) {
      const declared = propertySchema(schema, key);
      const inside = declared ?? valueSchema(schema);
      if (declared === undefined && isNullOf(value[key], inside)) value[key] = defaultOf(inside) ?? null;
      fillDefaults(value[key], inside);
    }
  }
}

function fillProperties(object: Draft, { properties = {} }: CustomSchema): void {
  for (const name of Object.keys(properties)) {
    const property = properties[name] as CustomSchema;
    if (property.default === undefined || property.default === null) continue;
    const given = Object.hasOwn(object, name) ? object[name] : undefined;
    if (given === undefined || isNullOf(given, property)) setOwn(object, name, defaultOf(property));
  }
}

function fillItems(list: unknown[], schema: CustomSchema | undefined): void {
  for (let i = 0; i < list.length; i++) {
    if (isNullOf(list[i], schema)) list[i] = defaultOf(schema) ?? null;
    fillDefaults(list[i], schema);
  }
}

function isNullOf(value: unknown, schema: CustomSchema | undefined): boolean {
  return value === null && schema !== undefined && schema.nullable !== true;
}

function defaultOf(schema: CustomSchema | undefined): unknown {
  return cloneJson(schema?.default);
}
