import { setOwn } from "../../lib/json-object.ts";

/** Two values of the same key. */
export interface Repeated {
  readonly earlier: object;
  readonly later: object;
}

/** Members that are copied at most: a key that is said over and over again would copy all that was said before each time. */
const MAX_MERGED = 100_000;

/**
 * Go reads what comes later into what is there already: members that are not said again stay, items of lists by their place.
 * Changes the later values. Throws where that would cost far more than the document is large.
 */
export function mergeRepeated(repeated: readonly Repeated[]): void {
  const budget = { left: MAX_MERGED };
  for (const { earlier, later } of repeated) merge(later, earlier, budget);
}

function merge(later: unknown, earlier: unknown, budget: { left: number }): void {
  if (Array.isArray(later) && Array.isArray(earlier)) {
    later.forEach((item, index) => merge(item, earlier[index], budget));
  } else if (isMembers(later) && isMembers(earlier)) {
    for (const [key, value] of Object.entries(earlier)) {
      if (--budget.left < 0) throw new Error("too many fields are set twice");
      if (Object.hasOwn(later, key)) merge(later[key], value, budget);
      else setOwn(later, key, value);
    }
  }
}

function isMembers(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Number);
}
