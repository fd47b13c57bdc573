import { equalJson } from "../lib/equal-json.ts";
import { getOwn, isJsonObject } from "../lib/json-object.ts";

export interface PatchOperation {
  readonly op: "add" | "remove" | "replace";
  readonly path: string;
  readonly value?: unknown;
}

/**
 * Returns the JSON patch that applies the changes between `before` and `after` to `given`. `before` is a canonical copy of `given`: fields that
 * `before` lacks, or contains in another form, are not touched.
 */
export function jsonPatchOf(given: unknown, before: unknown, after: unknown, path = ""): PatchOperation[] {
  if (equalJson(before, after)) return [];
  if (!isJsonObject(given) || !isJsonObject(before) || !isJsonObject(after)) {
    return [{ op: "replace", path, value: after }];
  }
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key): PatchOperation[] => {
    const at = `${path}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    const has = Object.hasOwn(given, key);
    const [old, value] = [getOwn(before, key), getOwn(after, key)];
    if (equalJson(old, value)) return [];
    if (value === undefined) return has ? [{ op: "remove", path: at }] : [];
    if (!has) return [{ op: "add", path: at, value }];
    return jsonPatchOf(given[key], old, value, at);
  });
}
