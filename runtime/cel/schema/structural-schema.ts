import type { CelSchema } from "./cel-schema.ts";

/** The parts of an OpenAPI v3 schema object that matter for expressions, with vendor extensions under a prefix. */
export interface StructuralSchema {
  readonly type?: string;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, StructuralSchema>>;
  readonly additionalProperties?: StructuralSchema | boolean;
  readonly items?: StructuralSchema;
  readonly required?: readonly string[];
  /** Schemas that add rules to this one but declare no properties. */
  readonly allOf?: readonly StructuralSchema[];
  readonly anyOf?: readonly StructuralSchema[];
  readonly oneOf?: readonly StructuralSchema[];
  readonly not?: StructuralSchema;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly nullable?: boolean;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly [extension: `x-${string}`]: unknown;
}

const schemas = new WeakMap<StructuralSchema, Map<boolean, CelSchema>>();

/**
 * Converts an OpenAPI v3 structural schema for use in expressions. `vendor` is part of the names of extensions (`x-<vendor>-list-type`);
 * `isResource` marks the root of a resource.
 */
export function fromStructuralSchema(schema: StructuralSchema, vendor: string, isResource = false): CelSchema {
  const known = schemas.get(schema) ?? new Map<boolean, CelSchema>();
  schemas.set(schema, known);
  const described = known.get(isResource) ?? describe(schema, vendor, isResource);
  known.set(isResource, described);
  return described;
}

const typed = new WeakMap<StructuralSchema, boolean>();

/** Whether values of a schema have a type in expressions. Nested lists and maps have one if their elements do. */
export function hasCelType(schema: StructuralSchema, vendor: string): boolean {
  let known = typed.get(schema);
  if (known === undefined) typed.set(schema, (known = findCelType(schema, vendor)));
  return known;
}

function findCelType(schema: StructuralSchema, vendor: string): boolean {
  if (schema[`x-${vendor}-int-or-string`] === true) return true;
  switch (schema.type) {
    case "array":
      return schema.items !== undefined && hasCelType(schema.items, vendor);
    case "object":
      return typeof schema.additionalProperties !== "object" || hasCelType(schema.additionalProperties, vendor);
    case "string":
    case "boolean":
    case "number":
    case "integer":
      return true;
    default:
      return false;
  }
}

function describe(schema: StructuralSchema, vendor: string, isResource: boolean): CelSchema {
  const extension = (name: string): unknown => schema[`x-${vendor}-${name}`];
  const child = (part: StructuralSchema) =>
    fromStructuralSchema(part, vendor, part[`x-${vendor}-embedded-resource`] === true);
  const common = {
    ...(schema.default === undefined ? {} : { hasDefault: true }),
    ...(schema.nullable === true ? { nullable: true } : {}),
  };
  if (extension("int-or-string") === true) return { kind: "intOrString", ...common };
  switch (schema.type) {
    case "array":
      if (schema.items === undefined) return { kind: "unknown" };
      return {
        kind: "list",
        items: child(schema.items),
        ...common,
        ...defined("maxItems", schema.maxItems),
        ...defined("listType", extension("list-type") as "atomic" | "set" | "map" | undefined),
        ...defined("listMapKeys", extension("list-map-keys") as readonly string[] | undefined),
      };
    case "object":
      return describeObject(schema, child, isResource, common);
    case "string":
      return {
        kind: "string",
        ...common,
        ...defined("format", schema.format),
        ...defined("maxLength", schema.maxLength),
        ...defined(
          "enum",
          schema.enum?.filter((value) => typeof value === "string"),
        ),
      };
    case "boolean":
    case "number":
    case "integer":
      return { kind: schema.type, ...common };
    default: {
      // An invalid type is rejected elsewhere. Its fields are still accessible.
      const isOdd = schema.type !== undefined && schema.properties !== undefined;
      return isOdd ? describeObject(schema, child, isResource, common) : { kind: "unknown" };
    }
  }
}

function describeObject(
  schema: StructuralSchema,
  child: (part: StructuralSchema) => CelSchema,
  isResource: boolean,
  common: { hasDefault?: boolean; nullable?: boolean },
): CelSchema {
  const { additionalProperties, properties = {} } = schema;
  if (typeof additionalProperties === "object")
    return {
      kind: "map",
      values: child(additionalProperties),
      ...common,
      ...defined("maxProperties", schema.maxProperties),
    };
  return {
    kind: "object",
    property: (name) => (Object.hasOwn(properties, name) ? child(properties[name]!) : undefined),
    propertyNames: () => Object.keys(properties),
    isResource,
    ...common,
    ...defined("required", schema.required),
  };
}

function defined<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]: V });
}
