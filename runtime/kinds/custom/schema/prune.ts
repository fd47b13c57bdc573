import {
  allowsOtherKeys,
  type CustomSchema,
  extensionsOf,
  type FlatMaps,
  isDraft,
  propertySchema,
  valueSchema,
} from "./structural-schema.ts";

/** State of one pruning walk: the vendor of extensions and the paths of removed fields. */
interface Pruning {
  readonly vendor: string;
  readonly unknown: string[];
  readonly flat: FlatMaps;
}

const META_FIELDS: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata"]);

/**
 * Removes, in place, fields that the schema of a resource does not allow. Returns the sorted paths of removed fields.
 * `apiVersion`, `kind` and `metadata` of the resource itself are always allowed.
 */
export function prune(resource: unknown, schema: CustomSchema, vendor: string, flat: FlatMaps = new Set()): string[] {
  const pruning: Pruning = { vendor, unknown: [], flat };
  if (isDraft(resource)) {
    for (const key of Object.keys(resource)) {
      if (!META_FIELDS.has(key)) pruneMember(resource, key, schema, "", pruning);
    }
  }
  return listable(pruning.unknown).sort();
}

/** Limit for the paths that one message lists, in characters. Paths below a long key take many times the memory of the object. */
const MOST_CHARACTERS = 2 * 1024 * 1024;

/** Returns as many of the first strings as can be listed. Strings that are neither compared nor joined have not allocated memory of their own yet. */
export function listable(texts: readonly string[]): string[] {
  let characters = 0;
  const end = texts.findIndex((text) => (characters += text.length) > MOST_CHARACTERS);
  return texts.slice(0, end < 0 ? texts.length : Math.max(end, 1));
}

function pruneMember(
  object: { [key: string]: unknown },
  key: string,
  schema: CustomSchema,
  path: string,
  pruning: Pruning,
): void {
  const value = object[key];
  const declared = propertySchema(schema, key);
  if (declared !== undefined || allowsOtherKeys(schema)) {
    if (isContainer(value)) pruneValue(value, declared ?? valueSchema(schema), memberPath(path, key), pruning);
  } else if (!extensionsOf(schema, pruning.vendor).preservesUnknown) {
    pruning.unknown.push(memberPath(path, key));
    delete object[key];
  }
}

function memberPath(path: string, key: string): string {
  return path === "" ? key : `${path}.${key}`;
}

/** Whether a value can contain fields. Nothing is pruned inside other values, so long lists and maps of them need no paths. */
function isContainer(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

/** Prunes inside a value. Without a schema, all fields of an object are unknown. Scalars are never pruned. */
function pruneValue(value: unknown, schema: CustomSchema | undefined, path: string, pruning: Pruning): void {
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++)
      if (isContainer(value[i])) pruneItem(value[i], schema, `${path}[${i}]`, pruning);
  } else if (isDraft(value)) {
    const isEmbedded = schema !== undefined && extensionsOf(schema, pruning.vendor).isEmbedded;
    // Every key of a map is allowed, so only values that contain fields are visited.
    if (schema !== undefined && schema.properties === undefined && !isEmbedded && allowsOtherKeys(schema)) {
      if (pruning.flat.has(value)) return;
      const values = valueSchema(schema);
      for (const key of Object.keys(value))
        if (isContainer(value[key])) pruneValue(value[key], values, memberPath(path, key), pruning);
      return;
    }
    for (const key of Object.keys(value)) {
      if (!(isEmbedded && META_FIELDS.has(key))) pruneMember(value, key, schema ?? NOTHING_KNOWN, path, pruning);
    }
  }
}

/** Prunes a list item. A list that preserves unknown fields also preserves those of items without a schema. */
function pruneItem(item: unknown, list: CustomSchema | undefined, path: string, pruning: Pruning): void {
  const { items } = list ?? NOTHING_KNOWN;
  const keepsAll = list !== undefined && extensionsOf(list, pruning.vendor).preservesUnknown;
  if (items === undefined && keepsAll) return;
  pruneValue(item, items, path, pruning);
}

const NOTHING_KNOWN: CustomSchema = {};
