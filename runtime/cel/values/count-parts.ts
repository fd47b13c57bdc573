import { isMap, mapGet, mapKeys, Optional } from "./containers.ts";

/** Length of a string or bytes that counts as one additional part. */
const LONG = 1000;

/**
 * Counts the parts that are visited when a value is compared, printed or copied. An expression can nest the same list repeatedly (a list that
 * contains another one twice, and so on): each part is counted as often as it occurs. Stops soon after `most`.
 */
export function countParts(value: unknown, most: number): number {
  let count = 0;
  const visit = (part: unknown): void => {
    count += 1;
    if (typeof part === "string" || part instanceof Uint8Array) {
      count += Math.floor(part.length / LONG);
    } else if (Array.isArray(part)) {
      for (let i = 0; i < part.length && count <= most; i++) visit(part[i]);
    } else if (part instanceof Optional) {
      if (part.present) visit(part.get());
    } else if (isMap(part)) {
      for (const key of mapKeys(part)) {
        if (count > most) return;
        visit(key);
        visit(mapGet(part, key));
      }
    }
  };
  visit(value);
  return count;
}
