import { isJsonObject } from "../../../lib/json-object.ts";

/**
 * A schema of a custom kind as its definition declares it: an OpenAPI v3 schema object with vendor extensions. Definitions are checked when
 * they are written, so stored schemas are structural: every value has a type, or an extension that replaces it.
 */
export interface CustomSchema {
  readonly type?: string;
  readonly format?: string;
  readonly title?: string;
  readonly description?: string;
  readonly example?: unknown;
  readonly externalDocs?: { readonly url?: string; readonly description?: string };
  readonly nullable?: boolean;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, CustomSchema>>;
  readonly additionalProperties?: CustomSchema | boolean;
  readonly items?: CustomSchema;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly exclusiveMaximum?: boolean;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly allOf?: readonly CustomSchema[];
  readonly anyOf?: readonly CustomSchema[];
  readonly oneOf?: readonly CustomSchema[];
  readonly not?: CustomSchema;
  readonly [extension: `x-${string}`]: unknown;
}

/** Vendor extensions of a schema. */
export interface Extensions {
  readonly preservesUnknown: boolean;
  readonly isEmbedded: boolean;
  readonly isIntOrString: boolean;
  readonly listType: "atomic" | "set" | "map" | undefined;
  readonly listMapKeys: readonly string[];
  readonly mapType: "atomic" | "granular" | undefined;
}

const known = new WeakMap<CustomSchema, Extensions>();
const NO_EXTENSIONS: Extensions = {
  preservesUnknown: false,
  isEmbedded: false,
  isIntOrString: false,
  listType: undefined,
  listMapKeys: [],
  mapType: undefined,
};

/**
 * Reads the `x-<vendor>-…` keywords of a schema. Cached, because every traversal of an object needs them. Schemas without extensions are not
 * cached: they are the majority, and a definition may have tens of thousands.
 */
export function extensionsOf(schema: CustomSchema, vendor: string): Extensions {
  if (!hasExtensions(schema)) return NO_EXTENSIONS;
  let extensions = known.get(schema);
  if (extensions === undefined) known.set(schema, (extensions = readExtensions(schema, vendor)));
  return extensions;
}

function hasExtensions(schema: CustomSchema): boolean {
  for (const keyword in schema) if (keyword.startsWith("x-")) return true;
  return false;
}

function readExtensions(schema: CustomSchema, vendor: string): Extensions {
  const read = (name: string): unknown => schema[`x-${vendor}-${name}`];
  return {
    preservesUnknown: read("preserve-unknown-fields") === true,
    isEmbedded: read("embedded-resource") === true,
    isIntOrString: read("int-or-string") === true,
    listType: read("list-type") as Extensions["listType"],
    listMapKeys: (read("list-map-keys") ?? []) as readonly string[],
    mapType: read("map-type") as Extensions["mapType"],
  };
}

/** The schema of a declared property, else undefined. Ignores inherited members of the object. */
export function propertySchema(schema: CustomSchema, name: string): CustomSchema | undefined {
  const { properties } = schema;
  return properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
}

/** The schema of values under undeclared keys. */
export function valueSchema({ additionalProperties }: CustomSchema): CustomSchema | undefined {
  return typeof additionalProperties === "object" ? additionalProperties : undefined;
}

/** Whether undeclared keys are kept. Their values are not validated unless `additionalProperties` is a schema. */
export function allowsOtherKeys({ additionalProperties }: CustomSchema): boolean {
  return additionalProperties !== undefined && additionalProperties !== false;
}

/** An object of the kind while it is processed: a plain object that the caller may change. */
export type Draft = { [key: string]: unknown };

/** Large maps that contain no object, list or null, as found while the object was copied. There is nothing to prune in them. */
export type FlatMaps = ReadonlySet<object>;

export function isDraft(value: unknown): value is Draft {
  return isJsonObject(value);
}
