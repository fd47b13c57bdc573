import { setOwn } from "./json-object.ts";

/** Two values of the same key. */
export interface Repeated {
  readonly earlier: object;
  readonly later: object;
}

/**
 * Go reads what comes later into what is there already: members that are not said again stay, items of lists by their place.
 * Changes the later values.
 */
export function mergeRepeated(repeated: readonly Repeated[]): void {
  for (const { earlier, later } of repeated) merge(later, earlier);
}

function merge(later: unknown, earlier: unknown): void {
  if (Array.isArray(later) && Array.isArray(earlier)) {
    later.forEach((item, index) => merge(item, earlier[index]));
  } else if (isMembers(later) && isMembers(earlier)) {
    for (const [key, value] of Object.entries(earlier)) {
      if (Object.hasOwn(later, key)) merge(later[key], value);
      else setOwn(later, key, value);
    }
  }
}

function isMembers(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Number);
}
