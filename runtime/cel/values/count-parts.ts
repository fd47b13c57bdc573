import { isMap, mapGet, mapKeys, Optional } from "./containers.ts";

/** How much of a string or of bytes counts as one more part. */
const LONG = 1000;

/**
 * Counts what comparing, printing or copying a value visits. An expression can make a list that holds another one twice, which holds a third
 * one twice, and so on: each part is counted as often as it is met. Stops soon after `most`.
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
