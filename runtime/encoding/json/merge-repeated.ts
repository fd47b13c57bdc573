import { setOwn } from "../../lib/json-object.ts";

/** Two values of a repeated key. */
export interface Repeated {
  readonly earlier: object;
  readonly later: object;
}

/** Maximum number of members that are copied. Each repetition of a key copies all its earlier members. */
const MAX_MERGED = 100_000;

/**
 * Merges the values of repeated keys as Go does, which decodes a repeated key into the existing value: members that are not repeated stay, list
 * items are merged by index. Changes the later values. Throws if that would take far more time than the size of the document justifies.
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
