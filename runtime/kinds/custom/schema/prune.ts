import {
  allowsOtherKeys,
  type CustomSchema,
  extensionsOf,
  isDraft,
  propertySchema,
  valueSchema,
} from "./structural-schema.ts";

/** Where the walk is: as messages name it, and whether anybody wants to know. */
interface Pruning {
  readonly vendor: string;
  readonly unknown: string[];
}

const META_FIELDS: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata"]);

/**
 * Removes, in place, what a resource may not hold by its schema. Answers the paths of what was removed, sorted. Type and
 * metadata of the resource itself are always allowed, whatever the schema says of them.
 */
export function prune(resource: unknown, schema: CustomSchema, vendor: string): string[] {
  const pruning: Pruning = { vendor, unknown: [] };
  if (isDraft(resource)) {
    for (const key of Object.keys(resource)) {
      if (!META_FIELDS.has(key)) pruneMember(resource, key, schema, "", pruning);
    }
  }
  return pruning.unknown.sort();
}

function pruneMember(
  object: { [key: string]: unknown },
  key: string,
  schema: CustomSchema,
  path: string,
  pruning: Pruning,
): void {
  const at = path === "" ? key : `${path}.${key}`;
  const declared = propertySchema(schema, key);
  if (declared !== undefined) {
    pruneValue(object[key], declared, at, pruning);
  } else if (allowsOtherKeys(schema)) {
    pruneValue(object[key], valueSchema(schema), at, pruning);
  } else if (!extensionsOf(schema, pruning.vendor).preservesUnknown) {
    pruning.unknown.push(at);
    delete object[key];
  }
}

/** Without a schema nothing inside an object is known; scalars are never looked at. */
function pruneValue(value: unknown, schema: CustomSchema | undefined, path: string, pruning: Pruning): void {
  if (Array.isArray(value)) {
    value.forEach((item, index) => pruneItem(item, schema, `${path}[${index}]`, pruning));
  } else if (isDraft(value)) {
    const isEmbedded = schema !== undefined && extensionsOf(schema, pruning.vendor).isEmbedded;
    for (const key of Object.keys(value)) {
      if (!(isEmbedded && META_FIELDS.has(key))) pruneMember(value, key, schema ?? NOTHING_KNOWN, path, pruning);
    }
  }
}

/** In a list whose unknown fields are kept, so are those of items without a schema of their own. */
function pruneItem(item: unknown, list: CustomSchema | undefined, path: string, pruning: Pruning): void {
  const { items } = list ?? NOTHING_KNOWN;
  const keepsAll = list !== undefined && extensionsOf(list, pruning.vendor).preservesUnknown;
  if (items === undefined && keepsAll) return;
  pruneValue(item, items, path, pruning);
}

const NOTHING_KNOWN: CustomSchema = {};
