import { equalJson } from "../../../lib/equal-json.ts";
import { type CustomSchema, extensionsOf, isDraft, propertySchema, valueSchema } from "../schema/structural-schema.ts";
import { correlatedItem } from "./correlate.ts";

/**
 * Whether a value has not changed, so that errors it already had are tolerated. Entries of list maps may have moved. Fields without a schema
 * count as changed.
 */
export function isUnchanged(value: unknown, old: unknown, schema: CustomSchema, vendor: string): boolean {
  if (value === null || value === undefined) return old === null || old === undefined;
  if (Array.isArray(value)) return Array.isArray(old) && isSameList(value, old, schema, vendor);
  if (isDraft(value)) return isDraft(old) && isSameObject(value, old, schema, vendor);
  return equalJson(value, old);
}

function isSameList(list: readonly unknown[], old: readonly unknown[], schema: CustomSchema, vendor: string): boolean {
  if (list.length !== old.length) return false;
  const extensions = extensionsOf(schema, vendor);
  if (extensions.listType !== "map") return equalJson(list, old);
  const find = correlatedItem(old, extensions);
  return list.every((item) => {
    const former = find(item);
    return former !== undefined && schema.items !== undefined && isUnchanged(item, former.old, schema.items, vendor);
  });
}

function isSameObject(
  object: Readonly<Record<string, unknown>>,
  old: Readonly<Record<string, unknown>>,
  schema: CustomSchema,
  vendor: string,
): boolean {
  const keys = Object.keys(object);
  if (keys.length !== Object.keys(old).length) return false;
  return keys.every((key) => {
    const part = propertySchema(schema, key) ?? valueSchema(schema);
    return part !== undefined && Object.hasOwn(old, key) && isUnchanged(object[key], old[key], part, vendor);
  });
}
