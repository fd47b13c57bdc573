import { INT_OR_STRING, type JsonSchema } from "./json-schema.ts";

type Json = { readonly [key: string]: unknown };

/**
 * Returns the spec of a CustomResourceDefinition in canonical form, so that equivalent specs are equal. Adds values that a server would fill
 * in, and removes what has no meaning: order, white space, and keywords that are off. Excludes the address of the conversion webhook.
 */
export function canonicalSpec(spec: Json): Json {
  const names = (spec.names ?? {}) as Json;
  const kind = String(names.kind ?? "");
  const versions = ((spec.versions ?? []) as Json[]).map(canonicalVersion);
  const strategy = (spec.conversion as Json | undefined)?.strategy ?? "None";
  return compact({
    group: spec.group,
    scope: spec.scope,
    names: compact({
      ...names,
      listKind: names.listKind ?? `${kind}List`,
      singular: names.singular ?? kind.toLowerCase(),
      shortNames: sorted(names.shortNames),
      categories: sorted(names.categories),
    }),
    // With a single version, the strategy has no meaning.
    conversion: versions.length > 1 ? strategy : "None",
    versions: versions.sort((a, b) => (String(a.name) < String(b.name) ? -1 : 1)),
  });
}

function canonicalVersion(version: Json): Json {
  const { openAPIV3Schema = {} } = (version.schema ?? {}) as { openAPIV3Schema?: JsonSchema };
  const { status, scale } = (version.subresources ?? {}) as Json;
  return compact({
    name: version.name,
    served: version.served === true,
    storage: version.storage === true,
    deprecated: version.deprecated === true || undefined,
    deprecationWarning: version.deprecationWarning,
    schema: canonicalRoot(openAPIV3Schema),
    subresources: compact({ status: status === undefined ? undefined : {}, scale }),
    selectableFields: sorted(((version.selectableFields ?? []) as Json[]).map(({ jsonPath }) => jsonPath)),
    columns: ((version.additionalPrinterColumns ?? []) as Json[]).map((column) =>
      compact({ ...column, description: plain(column.description), priority: column.priority || undefined }),
    ),
  });
}

/** Removes apiVersion, kind and metadata, which every object has regardless of the schema. */
function canonicalRoot(schema: JsonSchema): Json {
  const { properties = {}, required = [], ...rest } = schema;
  const { apiVersion: _apiVersion, kind: _kind, metadata = {}, ...own } = properties;
  const { description: _description, type: _type, ...restrictions } = metadata;
  return canonicalSchema({
    type: "object",
    ...rest,
    properties: {
      ...own,
      ...(Object.keys(restrictions).length > 0 && { metadata: { ...restrictions, type: "object" } }),
    },
    required: required.filter((name) => !["apiVersion", "kind", "metadata"].includes(name)),
  });
}

/** Values of keywords that are equivalent to the absence of the keyword. */
const NOTHING: { readonly [keyword: string]: unknown } = { format: "", minLength: 0, minItems: 0, minProperties: 0 };
const SETS = new Set(["required", "enum", "x-kubernetes-list-map-keys"]);

export function canonicalSchema(schema: JsonSchema): Json {
  const entries = Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
    if (value === undefined || value === false || value === "" || value === NOTHING[keyword])
      return keyword === "default" && value !== undefined ? [[keyword, value]] : [];
    if (keyword === "description") return [[keyword, plain(value)]];
    if (keyword === "default" || keyword === "example") return [[keyword, value]];
    if (SETS.has(keyword)) return (value as unknown[]).length === 0 ? [] : [[keyword, sorted(value)]];
    if (keyword === "properties") return Object.keys(value as object).length === 0 ? [] : [[keyword, mapped(value)]];
    if (keyword === "items" || keyword === "additionalProperties" || keyword === "not")
      return [[keyword, typeof value === "object" ? canonicalSchema(value as JsonSchema) : value]];
    if (keyword === "anyOf" && schema[INT_OR_STRING] === true && isIntOrString(value)) return [];
    if (["allOf", "anyOf", "oneOf"].includes(keyword))
      return [[keyword, (value as JsonSchema[]).map((one) => canonicalSchema(one))]];
    if (keyword === "x-kubernetes-validations")
      return (value as Json[]).length === 0 ? [] : [[keyword, (value as Json[]).map((rule) => compact(rule))]];
    return [[keyword, typeof value === "bigint" ? Number(value) : value]];
  });
  return Object.fromEntries(entries);
}

function mapped(properties: unknown): Json {
  const entries = Object.entries(properties as { [name: string]: JsonSchema });
  return Object.fromEntries(entries.map(([name, one]) => [name, canonicalSchema(one)]));
}

/** Whether `anyOf` is `[integer, string]`, which is equivalent to `x-kubernetes-int-or-string`. */
export function isIntOrString(anyOf: unknown): boolean {
  const types = (anyOf as JsonSchema[]).map((one) => (Object.keys(one).length === 1 ? one.type : undefined));
  return types.length === 2 && types.includes("integer") && types.includes("string");
}

function plain(text: unknown): string | undefined {
  const words = typeof text === "string" ? text.replace(/\s+/g, " ").trim() : "";
  return words === "" ? undefined : words;
}

function sorted(list: unknown): unknown[] | undefined {
  const items = [...((list ?? []) as unknown[])];
  return items.length === 0 ? undefined : items.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

function compact(object: Json): Json {
  return Object.fromEntries(
    Object.entries(object).filter(([, value]) => value !== undefined && value !== false && value !== ""),
  );
}

/** Returns the paths at which two values differ, each with both values. */
export function differencesOf(a: unknown, b: unknown, path = ""): string[] {
  if (Object.is(a, b)) return [];
  if (
    typeof a === "object" &&
    typeof b === "object" &&
    a !== null &&
    b !== null &&
    Array.isArray(a) === Array.isArray(b)
  ) {
    const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
    return [...keys].flatMap((key) => differencesOf((a as Json)[key], (b as Json)[key], `${path}.${key}`));
  }
  return typeof a === "number" && typeof b === "bigint" && a === Number(b)
    ? []
    : [`${path}: ${show(a)} became ${show(b)}`];
}

function show(value: unknown): string {
  const text = JSON.stringify(value, (_key, one) => (typeof one === "bigint" ? Number(one) : one)) ?? "nothing";
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}
