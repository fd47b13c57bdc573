import { equalJson } from "../lib/equal-json.ts";
import { isJsonObject } from "../lib/json-object.ts";

/**
 * Where a version assumes something else of a field that is left out, says what was meant: `object` with the values of `meant`
 * where those differ from what the new version would assume. Lists are compared whole, item by item when they are as long.
 */
export function keepMeaning(object: unknown, meant: unknown, assumed: unknown): unknown {
  if (equalJson(meant, assumed)) return object;
  if (isJsonObject(meant) && isJsonObject(assumed)) {
    const written = isJsonObject(object) ? object : {};
    const output: Record<string, unknown> = { ...written };
    for (const key of new Set([...Object.keys(meant), ...Object.keys(assumed)])) {
      const kept = keepMeaning(written[key], meant[key], assumed[key]);
      if (kept !== undefined) output[key] = kept;
    }
    return output;
  }
  if (Array.isArray(meant) && Array.isArray(assumed) && Array.isArray(object)) {
    if (meant.length === assumed.length && meant.length === object.length)
      return object.map((item, index) => keepMeaning(item, meant[index], assumed[index]));
  }
  return meant;
}
