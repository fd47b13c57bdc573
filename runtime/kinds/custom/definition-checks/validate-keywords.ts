import type { FieldError } from "../../../contract/field-error.ts";
import { Verbatim } from "../../../go/verbatim.ts";
import type { Steps } from "../../../lib/in-turns.ts";
import { isJsonObject } from "../../../lib/json-object.ts";
import { forbiddenField, invalidField, requiredField, unsupportedField } from "../../../values/field-errors.ts";
import { type CustomSchema, extensionsOf, valueSchema } from "../schema/structural-schema.ts";
import { checkedProperties } from "./checked-properties.ts";
import { showOtherItems } from "./schema-text.ts";
import { OTHER_ITEMS, type SentSchema } from "./sent-schema.ts";

const MAP_TYPES: readonly string[] = ["atomic", "granular"];
const LIST_TYPES: readonly string[] = ["atomic", "set", "map"];

/** Position of a schema, as far as it determines which keywords are allowed. */
interface Place {
  readonly path: string;
  readonly isRoot: boolean;
  readonly isInsideMeta: boolean;
  /** The reason why defaults are not allowed here. */
  readonly noDefaults?: string;
}

const TYPES = ["array", "boolean", "integer", "number", "object", "string"];
const META_FIELDS: ReadonlySet<string> = new Set(["metadata", "kind", "apiVersion"]);

/** Number of schemas that are checked in one step. */
const STEP = 200;

/** Checks that Kubernetes added later. A stored definition whose schemas fail such a check may continue to do so. */
export type LaterRule = "types" | "setItems" | "listItems";

export interface CheckedKeywords {
  readonly errors: readonly FieldError[];
  /** Those errors that result from such a check. */
  readonly later: ReadonlyMap<FieldError, LaterRule>;
  /** The reason why the schema cannot be read as a structural one. Undefined if it can. */
  readonly unreadable?: string;
}

/** Rejects unsupported keywords, keywords at positions where they are not allowed, and invalid extensions. */
export function* validateKeywords(schema: CustomSchema, vendor: string, path: string): Steps<CheckedKeywords> {
  const keywords = new Keywords(vendor);
  const errors = yield* keywords.check(schema, { path, isRoot: true, isInsideMeta: false });
  return {
    errors,
    later: keywords.later,
    ...(keywords.unreadable !== undefined && { unreadable: keywords.unreadable }),
  };
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === "" || (isJsonObject(value) && Object.keys(value).length === 0);

/** Keywords that structural schemas cannot have. */
const UNREADABLE = ["id", "$schema", "$ref", "patternProperties", "dependencies", "definitions"] as const;

class Keywords {
  readonly #vendor: string;
  readonly later = new Map<FieldError, LaterRule>();
  #checked = 0;
  unreadable: string | undefined;

  constructor(vendor: string) {
    this.#vendor = vendor;
  }

  *check(schema: SentSchema, place: Place): Steps<FieldError[]> {
    if (++this.#checked % STEP === 0) yield;
    const { path } = place;
    this.unreadable ??= this.#unreadable(schema);
    const errors = [...this.#own(schema, place), ...(yield* this.#below(schema, place))];
    if (schema[`x-${this.#vendor}-preserve-unknown-fields`] === false)
      errors.push(
        invalidField(`${path}.x-${this.#vendor}-preserve-unknown-fields`, false, "must be true or undefined"),
      );
    return [...errors, ...this.#mapType(schema, path), ...this.#listType(schema, path), ...this.#listMap(schema, path)];
  }

  #unreadable(schema: SentSchema): string | undefined {
    const keyword =
      UNREADABLE.find((name) => !isEmpty(schema[name])) ??
      (schema.additionalItems === undefined ? undefined : "additionalItems");
    if (keyword !== undefined)
      return `OpenAPIV3Schema '${keyword === "$schema" ? "schema" : keyword}' is not supported`;
    if (schema[`x-${this.#vendor}-preserve-unknown-fields`] === false)
      return `internal error: 'x-${this.#vendor}-preserve-unknown-fields' must be true or undefined`;
    return Array.isArray(schema.items) ? "OpenAPIV3Schema 'items' must be a schema, but is an array" : undefined;
  }

  #own(schema: SentSchema, { path, isInsideMeta, noDefaults }: Place): FieldError[] {
    const { type = "" } = schema;
    const errors: FieldError[] = [];
    const refuse = (keyword: string, why = `${keyword} is not supported`) =>
      errors.push(forbiddenField(`${path}.${keyword}`, why));
    if (type !== "" && !TYPES.includes(type))
      errors.push(...this.#mark("types", [unsupportedField(`${path}.type`, type, TYPES)]));
    if (schema.default !== undefined && noDefaults !== undefined) refuse("default", `must not be set ${noDefaults}`);
    if ((schema.id ?? "") !== "") refuse("id");
    if (schema.additionalItems !== undefined) refuse("additionalItems");
    if (Object.keys(schema.patternProperties ?? {}).length > 0) refuse("patternProperties");
    if (Object.keys(schema.definitions ?? {}).length > 0) refuse("definitions");
    if (schema.dependencies !== undefined) refuse("dependencies");
    if (schema.$ref !== undefined) refuse("$ref");
    if (type === "null") refuse("type", "type cannot be set to null, use nullable as an alternative");
    if (Array.isArray(schema.items)) refuse("items", "items must be a schema object and not an array");
    if (isInsideMeta && extensionsOf(schema, this.#vendor).isEmbedded)
      refuse(`x-${this.#vendor}-embedded-resource`, "must not be used inside of resource meta");
    if (schema.uniqueItems === true)
      refuse("uniqueItems", "uniqueItems cannot be set to true since the runtime complexity becomes quadratic");
    return errors;
  }

  *#below(schema: SentSchema, place: Place): Steps<FieldError[]> {
    const { path } = place;
    const { properties = {}, additionalProperties, definitions = {}, dependencies = {}, not } = schema;
    const inside: Place = { ...place, isRoot: false };
    const errors: FieldError[] = [];
    if (additionalProperties !== undefined && additionalProperties !== true && Object.keys(properties).length > 0)
      errors.push(
        forbiddenField(`${path}.additionalProperties`, "additionalProperties and properties are mutual exclusive"),
      );
    const values = valueSchema(schema);
    if (values !== undefined) {
      const noDefaults = place.isInsideMeta
        ? "inside additionalProperties applying to object metadata"
        : place.noDefaults;
      errors.push(...(yield* this.check(values, placed(inside, `${path}.additionalProperties`, noDefaults))));
    }
    const isResource = place.isRoot || extensionsOf(schema, this.#vendor).isEmbedded;
    for (const [name, property] of yield* checkedProperties(schema)) {
      const isMeta = isResource && META_FIELDS.has(name);
      const noDefaults = isMeta && place.isRoot ? `in top-level ${name}` : place.noDefaults;
      const at = placed(inside, `${path}.properties[${name}]`, noDefaults);
      errors.push(...(yield* this.check(property, { ...at, isInsideMeta: place.isInsideMeta || isMeta })));
    }
    if (not !== undefined) errors.push(...(yield* this.check(not, { ...inside, path: `${path}.not` })));
    for (const word of ["allOf", "oneOf", "anyOf"] as const) {
      for (const [i, part] of (schema[word] ?? []).entries())
        errors.push(...(yield* this.check(part, { ...inside, path: `${path}.${word}[${i}]` })));
    }
    for (const [name, part] of Object.entries(definitions))
      errors.push(...(yield* this.check(part, { ...inside, path: `${path}.definitions[${name}]` })));
    errors.push(...(yield* this.#items(schema, inside)));
    for (const [name, part] of Object.entries(dependencies))
      if (isSchema(part))
        errors.push(...(yield* this.check(part, { ...inside, path: `${path}.dependencies[${name}]` })));
    return errors;
  }

  *#items({ items }: SentSchema, place: Place): Steps<FieldError[]> {
    if (items === undefined) return [];
    const path = `${place.path}.items`;
    if (!Array.isArray(items)) return yield* this.check(items, { ...place, path });
    const errors: FieldError[] = [];
    for (const [i, item] of (items as SentSchema[]).entries())
      errors.push(...(yield* this.check(item, { ...place, path: `${path}[${i}]` })));
    return errors;
  }

  #mapType(schema: CustomSchema, path: string): FieldError[] {
    const { mapType } = extensionsOf(schema, this.#vendor);
    if (mapType === undefined) return [];
    const errors = this.#needsType(schema, "object", "map-type", path);
    if (!MAP_TYPES.includes(mapType))
      errors.push(unsupportedField(`${path}.x-${this.#vendor}-map-type`, mapType, MAP_TYPES));
    return errors;
  }

  #listType(schema: CustomSchema, path: string): FieldError[] {
    const { listType, listMapKeys } = extensionsOf(schema, this.#vendor);
    const at = `${path}.x-${this.#vendor}-list-type`;
    const errors: FieldError[] = [];
    if (listType !== undefined) {
      const wrong = this.#needsType(schema, "array", "list-type", path);
      errors.push(
        ...wrong,
        ...(wrong.length === 0 && listType === "set" ? this.#mark("setItems", this.#setItems(schema, path)) : []),
      );
      if (!LIST_TYPES.includes(listType)) errors.push(unsupportedField(at, listType, LIST_TYPES));
    }
    if (listMapKeys.length > 0 && listType !== "map") {
      const why = `must be map if x-${this.#vendor}-list-map-keys is non-empty`;
      errors.push(listType === undefined ? requiredField(at, why) : invalidField(at, listType, why));
    }
    return errors;
  }

  #needsType({ type = "" }: CustomSchema, wanted: string, extension: string, path: string): FieldError[] {
    if (type === wanted) return [];
    const why = `must be ${wanted} if x-${this.#vendor}-${extension} is specified`;
    return [type === "" ? requiredField(`${path}.type`, why) : invalidField(`${path}.type`, type, why)];
  }

  /** Items of a set must be atomic, because they are compared as a whole. */
  #setItems({ items }: CustomSchema, path: string): FieldError[] {
    if (items === undefined) return [];
    const { listType, mapType } = extensionsOf(items, this.#vendor);
    const why = `must be atomic as item of a list with x-${this.#vendor}-list-type=set`;
    const shown = listType === undefined ? new Verbatim('"null"') : listType;
    if (items.type === "array" && listType !== undefined && listType !== "atomic")
      return [invalidField(`${path}.items.x-${this.#vendor}-list-type`, shown, why)];
    if (items.type === "object" && mapType !== "atomic")
      return [invalidField(`${path}.items.x-${this.#vendor}-map-type`, shown, why)];
    return [];
  }

  #listMap(schema: CustomSchema, path: string): FieldError[] {
    const { listType } = extensionsOf(schema, this.#vendor);
    if (listType !== "map" && listType !== "set") return [];
    return [
      ...(listType === "map" ? this.#mapKeys(schema, path) : []),
      ...this.#mark("listItems", this.#listItems(schema, path)),
    ];
  }

  #mark(rule: LaterRule, errors: FieldError[]): FieldError[] {
    for (const error of errors) this.later.set(error, rule);
    return errors;
  }

  /** Items of a set or map, and the keys of map entries, must always have a value. */
  #listItems(schema: CustomSchema, path: string): FieldError[] {
    const { listType, listMapKeys } = extensionsOf(schema, this.#vendor);
    const { items } = schema;
    const errors: FieldError[] = [];
    if (items?.nullable === true)
      errors.push(
        forbiddenField(`${path}.items.nullable`, `cannot be nullable when x-${this.#vendor}-list-type is ${listType}`),
      );
    for (const key of listType === "map" ? listMapKeys : []) {
      const property = items?.properties?.[key];
      if (property === undefined) continue;
      const at = `${path}.items.properties[${key}]`;
      const why = `this property is in x-${this.#vendor}-list-map-keys, so it`;
      if (!items?.required?.includes(key) && property.default === undefined)
        errors.push(requiredField(`${at}.default`, `${why} must have a default or be a required property`));
      if (property.nullable === true) errors.push(forbiddenField(`${at}.nullable`, `${why} cannot be nullable`));
    }
    return errors;
  }

  #mapKeys(schema: SentSchema, path: string): FieldError[] {
    const { listMapKeys: keys } = extensionsOf(schema, this.#vendor);
    const { items, [OTHER_ITEMS]: others } = schema;
    const at = `${path}.x-${this.#vendor}-list-map-keys`;
    const errors: FieldError[] = [];
    if (keys.length === 0) errors.push(requiredField(at, `must not be empty if x-${this.#vendor}-list-type is map`));
    if (others !== undefined) {
      const why = `must only have a single schema if x-${this.#vendor}-list-type is map`;
      return [...errors, invalidField(`${path}.items`, new Verbatim(showOtherItems(others, this.#vendor)), why)];
    }
    if (items === undefined)
      return [...errors, requiredField(`${path}.items`, `must have a schema if x-${this.#vendor}-list-type is map`)];
    if (items.type !== "object") {
      const why = `must be object if parent array's x-${this.#vendor}-list-type is map`;
      return [...errors, invalidField(`${path}.items.type`, items.type ?? "", why)];
    }
    keys.forEach((key, index) => {
      const property = items.properties?.[key];
      if (property === undefined) errors.push(invalidField(at, keys, "entries must all be names of item properties"));
      else if (property.type === "array" || property.type === "object") {
        const why = `must be a scalar type if parent array's x-${this.#vendor}-list-type is map`;
        errors.push(invalidField(`${path}.items.properties[${key}].type`, items.type, why));
      }
      if (keys.indexOf(key) < index) errors.push(invalidField(at, keys, "must not contain duplicate entries"));
    });
    return errors;
  }
}

/** Whether the value is a schema, not null and not a list of names. */
function isSchema(part: CustomSchema | readonly string[] | null): part is CustomSchema {
  return part !== null && !Array.isArray(part);
}

function placed(place: Place, path: string, noDefaults: string | undefined): Place {
  const { noDefaults: _former, ...rest } = place;
  return noDefaults === undefined ? { ...rest, path } : { ...rest, path, noDefaults };
}
