import { cloneJson } from "../../../lib/clone-json.ts";
import { setOwn } from "../../../lib/json-object.ts";
import { requestEntityTooLarge } from "../../../values/status-errors.ts";
import { createContainsSchema } from "./contains-schema.ts";
import {
  type CustomSchema,
  type Draft,
  type FlatMaps,
  isDraft,
  propertySchema,
  valueSchema,
} from "./structural-schema.ts";

/** Removes, in place, nulls that are not allowed and have no default to replace them. */
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

/** Limit for the JSON of all defaults set in one object, in characters: each item of a list may receive a large default. */
const MOST_CHARACTERS = 16 * 1024 * 1024;

/**
 * Sets declared defaults in place, for absent properties and for nulls that are not allowed. Throws 413 if the object would become far larger
 * than any object that can be stored.
 */
export function fillDefaults(value: unknown, schema: CustomSchema | undefined): void {
  new Filling().fill(value, schema);
}

/** Sets the defaults of one object within the limit. */
class Filling {
  #left = MOST_CHARACTERS;

  fill(value: unknown, schema: CustomSchema | undefined): void {
    if (schema === undefined || !containsDefault(schema)) return;
    if (Array.isArray(value)) {
      this.#fillItems(value, schema.items);
    } else if (isDraft(value)) {
      this.#fillProperties(value, schema);
      for (const key of Object.keys(value)) {
        const declared = propertySchema(schema, key);
        const inside = declared ?? valueSchema(schema);
        if (declared === undefined && isNullOf(value[key], inside)) value[key] = this.#defaultOf(inside) ?? null;
        this.fill(value[key], inside);
      }
    }
  }

  #fillProperties(object: Draft, { properties = {} }: CustomSchema): void {
    for (const name of Object.keys(properties)) {
      const property = properties[name] as CustomSchema;
      if (property.default === undefined || property.default === null) continue;
      const given = Object.hasOwn(object, name) ? object[name] : undefined;
      if (given === undefined || isNullOf(given, property)) setOwn(object, name, this.#defaultOf(property, name));
    }
  }

  #fillItems(list: unknown[], schema: CustomSchema | undefined): void {
    for (let i = 0; i < list.length; i++) {
      if (isNullOf(list[i], schema)) list[i] = this.#defaultOf(schema) ?? null;
      this.fill(list[i], schema);
    }
  }

  #defaultOf(schema: CustomSchema | undefined, name = ""): unknown {
    if (schema === undefined) return undefined;
    this.#left -= name.length + sizeOfDefault(schema);
    if (this.#left < 0)
      throw requestEntityTooLarge(`the defaults of the object have more than ${MOST_CHARACTERS} characters`);
    return cloneJson(schema.default);
  }
}

const sizes = new WeakMap<CustomSchema, number>();

/** Number of characters in the JSON of a default. */
function sizeOfDefault(schema: CustomSchema): number {
  let size = sizes.get(schema);
  if (size === undefined) {
    size = (JSON.stringify(schema.default, (_key, part) => (typeof part === "bigint" ? `${part}` : part)) ?? "").length;
    sizes.set(schema, size);
  }
  return size;
}

function isNullOf(value: unknown, schema: CustomSchema | undefined): boolean {
  return value === null && schema !== undefined && schema.nullable !== true;
}
