import { setOwn } from "../../lib/json-object.ts";

/** Two values of the same key. */
export interface Repeated {
  readonly earlier: object;
  readonly later: object;
}

/** Most members that are copied: a key that repeats many times would copy all its earlier members each time. */
const MAX_MERGED = 100_000;

/**
 * Go decodes a repeated key into the value that is there already: members that do not repeat stay, list items merge by index.
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
