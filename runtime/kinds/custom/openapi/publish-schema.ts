import { isDeepStrictEqual } from "node:util";
import type { ResourceDescriptor } from "../../../contract/resource-descriptor.ts";
import { type CustomSchema, extensionsOf, valueSchema } from "../schema/structural-schema.ts";

export interface PublishOptions {
  readonly vendor: string;
  /** `v2` is read by older clients, which fail on keywords that v2 does not define. */
  readonly format: "v2" | "v3";
  /** Name of the schema of object metadata. */
  readonly metadata: string;
  readonly listMetadata: string;
}

/** Name of the published schema of a custom kind, such as `com.example.stable.v1.CronTab`. */
export function schemaName({ group, version }: Pick<ResourceDescriptor, "group" | "version">, kind: string): string {
  return `${group.split(".").reverse().join(".")}.${version}.${kind}`;
}

/** The published parts of one version of a definition. */
export interface PublishedVersion {
  readonly schema: CustomSchema | undefined;
  /** Whether the definition preserves unknown fields in all its versions. */
  readonly preservesUnknown: boolean;
  readonly selectableFields: readonly { readonly jsonPath: string }[];
}

/** Returns the schemas of a kind and of its list, by name. */
export function publishSchemas(
  resource: ResourceDescriptor,
  version: PublishedVersion,
  options: PublishOptions,
): Record<string, unknown> {
  const { kind, listKind } = resource;
  const name = schemaName(resource, kind);
  const marks = (of: string) => extensions(resource, of, version, options.vendor);
  return {
    [name]: { ...publishKind(version, options), ...marks(kind) },
    [schemaName(resource, listKind)]: {
      description: `A list of ${kind} objects, as returned by list requests.`,
      type: "object",
      required: ["items"],
      properties: {
        ...TYPE_META,
        metadata: described(LIST_METADATA, options.listMetadata, options),
        items: { description: `List of ${resource.resource}.`, type: "array", items: refer(name, options) },
      },
      ...marks(listKind),
    },
  };
}

/**
 * Publishes the schema of a kind. Older clients reject fields that are not in the v2 schema: in v2, a kind that preserves unknown fields is
 * therefore a plain object, even without metadata.
 */
function publishKind({ schema, preservesUnknown }: PublishedVersion, options: PublishOptions): CustomSchema {
  const { vendor, format } = options;
  const isOpen = schema !== undefined && (preservesUnknown || extensionsOf(schema, vendor).preservesUnknown);
  if (schema === undefined || (format === "v2" && isOpen)) return { type: "object" };
  const rules = withoutRemarks(schema);
  const adapted = format === "v2" ? adapt(rules, vendor) : withAlternatives(rules, vendor);
  const published = withEmbeddedMeta(adapted, options);
  return {
    type: "object",
    ...published,
    properties: { ...published.properties, ...objectMeta(options) },
  };
}

function extensions(
  { group, version }: ResourceDescriptor,
  kind: string,
  { selectableFields }: PublishedVersion,
  vendor: string,
): Record<string, unknown> {
  const fields = selectableFields.map(({ jsonPath }) => ({ fieldPath: jsonPath.replace(/^\./, "") }));
  return {
    [`x-${vendor}-group-version-kind`]: [{ group, kind, version }],
    ...(fields.length > 0 && { [`x-${vendor}-selectable-fields`]: fields }),
  };
}

// Equal to the descriptions of meta/v1 in the definitions, so that custom and built-in kinds have the same.
const API_VERSION =
  "APIVersion defines the group and version of the schema of this object, such as `apps/v1`, or `v1` for the core group. The server converts between the versions it serves and rejects unknown ones.";
const KIND =
  "Kind is a string value that names the type of this object in CamelCase, such as `Pod`. The server can infer it from the request path. Cannot be updated.";
const METADATA =
  "Standard object's metadata: name, namespace, labels, annotations, owners and what the server records about the object.";
const LIST_METADATA = "Standard list metadata: the resource version of the list and the token for its next page.";

const TYPE_META = {
  apiVersion: { type: "string", description: API_VERSION },
  kind: { type: "string", description: KIND },
};

function objectMeta(options: PublishOptions) {
  return {
    ...TYPE_META,
    metadata: described(METADATA, options.metadata, options) as CustomSchema,
  };
}

function refer(name: string, { format }: PublishOptions): { readonly $ref: string } {
  return { $ref: (format === "v2" ? "#/definitions/" : "#/components/schemas/") + name };
}

/** Adds a description to a reference. In v3 a `$ref` has no siblings, so it is wrapped in `allOf`. */
function described(description: string, name: string, options: PublishOptions): object {
  const reference = refer(name, options);
  return options.format === "v2" ? { description, ...reference } : { description, allOf: [reference] };
}

/** Removes `example` and `externalDocs`, which do not affect validation. */
function withoutRemarks(schema: CustomSchema): CustomSchema {
  if (!Object.hasOwn(schema, "example") && !Object.hasOwn(schema, "externalDocs"))
    return mapInner(schema, withoutRemarks);
  const { example: _example, externalDocs: _docs, ...rest } = schema;
  return mapInner(rest, withoutRemarks);
}

const INT_OR_STRING: readonly CustomSchema[] = [{ type: "integer" }, { type: "string" }];

/** Adds a standard `anyOf` to schemas with the int-or-string extension. */
function withAlternatives(schema: CustomSchema, vendor: string): CustomSchema {
  const inner = mapInner(schema, (one) => withAlternatives(one, vendor));
  const { anyOf, allOf = [] } = inner;
  if (!extensionsOf(schema, vendor).isIntOrString || isIntOrString(anyOf) || isIntOrString(allOf[0]?.anyOf))
    return inner;
  return anyOf === undefined
    ? { ...inner, anyOf: INT_OR_STRING }
    : { ...inner, allOf: [{ anyOf: INT_OR_STRING }, ...allOf] };
}

function isIntOrString(alternatives: readonly CustomSchema[] | undefined): boolean {
  return isDeepStrictEqual(alternatives, INT_OR_STRING);
}

/** Adds `kind`, `apiVersion` and `metadata` to embedded resources. */
function withEmbeddedMeta(schema: CustomSchema, options: PublishOptions): CustomSchema {
  const inner = mapInner(schema, (one) => withEmbeddedMeta(one, options));
  const { isEmbedded, preservesUnknown } = extensionsOf(schema, options.vendor);
  if (!isEmbedded || (preservesUnknown && options.format === "v2")) return inner;
  const required = new Set([...(inner.required ?? []), "kind", "apiVersion"]);
  return { ...inner, properties: { ...inner.properties, ...objectMeta(options) }, required: [...required] };
}

/** Keywords that v2 does not define, and keywords whose meaning would be wrong in v2 without these. */
const ADAPTED: ReadonlySet<string> = new Set([
  "allOf",
  "anyOf",
  "oneOf",
  "not",
  "default",
  "nullable",
  "items",
  "properties",
  "type",
  "required",
]);

/** Removes keywords that v2 does not define (alternatives, null, defaults) and keywords that would be wrong without them. */
function adapt(schema: CustomSchema, vendor: string): CustomSchema {
  const { nullable, items, properties, type } = schema;
  const { preservesUnknown } = extensionsOf(schema, vendor);
  const isVague = nullable === true || preservesUnknown;
  const isUnsure =
    nullable === true ||
    (preservesUnknown && type === "object") ||
    (type === "array" && (isVague || items === undefined));
  const known: { -readonly [key in keyof CustomSchema]: CustomSchema[key] } = {};
  for (const keyword in schema)
    if (!ADAPTED.has(keyword)) known[keyword as `x-${string}`] = schema[keyword as `x-${string}`];
  if (type !== undefined && !isUnsure) known.type = type;
  const sure = requiredForSure(schema, isVague);
  if (sure.length > 0) known.required = sure;
  if (items !== undefined && !isVague) known.items = items;
  if (properties !== undefined && !isVague) known.properties = properties;
  return mapInner(known, (one) => adapt(one, vendor));
}

const NONE_REQUIRED: readonly string[] = [];

function requiredForSure(schema: CustomSchema, isVague: boolean): readonly string[] {
  const { required, properties } = schema;
  if (required === undefined || valueSchema(schema)?.nullable === true) return NONE_REQUIRED;
  return isVague ? required : required.filter((name) => properties?.[name]?.nullable !== true);
}

/** Applies `map` to the direct subschemas. Returns the same object if none of them changes. */
function mapInner(schema: CustomSchema, map: (inner: CustomSchema) => CustomSchema): CustomSchema {
  const { items, properties } = schema;
  const values = valueSchema(schema);
  if (items === undefined && values === undefined && properties === undefined) return schema;
  const [mappedItems, mappedValues] = [items && map(items), values && map(values)];
  const mapped = properties && mapProperties(properties, map);
  if (mappedItems === items && mappedValues === values && mapped === properties) return schema;
  return {
    ...schema,
    ...(mappedItems !== undefined && { items: mappedItems }),
    ...(mappedValues !== undefined && { additionalProperties: mappedValues }),
    ...(mapped !== undefined && { properties: mapped }),
  };
}

type Properties = NonNullable<CustomSchema["properties"]>;

function mapProperties(properties: Properties, map: (inner: CustomSchema) => CustomSchema): Properties {
  // Copying an object and replacing members is faster than adding keys one by one.
  let copy: Record<string, CustomSchema> | undefined;
  for (const name of Object.keys(properties)) {
    const property = properties[name] as CustomSchema;
    const mapped = map(property);
    if (mapped === property) continue;
    copy ??= { ...properties };
    copy[name] = mapped;
  }
  return copy ?? properties;
}
