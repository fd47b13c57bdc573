import { equalJson } from "../lib/equal-json.ts";
import { isJsonObject } from "../lib/json-object.ts";

/**
 * Makes old defaults explicit if the new version has different defaults: returns `object` with the values of `meant` where they differ from
 * `assumed`, the defaults of the new version. Lists of equal length are compared item by item, others as a whole.
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
