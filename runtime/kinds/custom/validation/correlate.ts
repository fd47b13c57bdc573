import type { Extensions } from "../schema/structural-schema.ts";
import { isDraft } from "../schema/structural-schema.ts";

/** Returns a function that finds the entry with the same keys in the old list. Finds nothing in lists that are not list maps. */
export function correlatedItem(
  old: unknown,
  { listType, listMapKeys }: Extensions,
): (item: unknown) => { readonly old: unknown } | undefined {
  if (listType !== "map" || !Array.isArray(old)) return () => undefined;
  const former = new Map<string, unknown>();
  for (const item of old) {
    const key = entryKey(item, listMapKeys);
    if (key !== undefined && !former.has(key)) former.set(key, item);
  }
  return (item) => {
    const key = entryKey(item, listMapKeys);
    return key !== undefined && former.has(key) ? { old: former.get(key) } : undefined;
  };
}

/** Returns the keys of an entry as one string. Undefined if the value is not an object. */
export function entryKey(item: unknown, keys: readonly string[]): string | undefined {
  if (!isDraft(item)) return undefined;
  const present = keys.filter((key) => Object.hasOwn(item, key)).map((key) => [key, item[key]]);
  return JSON.stringify(present, (_key, value) => (typeof value === "bigint" ? `${value}n` : value));
}
