import { atOnce, type Steps } from "../lib/in-turns.ts";
import { givenKeysOf, MEMBERS_PER_STEP } from "../lib/json-object.ts";

/**
 * Maximum nesting of objects and lists in an API object, not counting `managedFields`. The limit is the same for every format that is read, so that
 * every stored object can be printed in all formats and traversed recursively.
 *
 * Go's JSON reader accepts 10,000 levels, Kubernetes' CBOR reader 64. In indented JSON or YAML, each line takes two bytes per level: ten
 * thousand levels would turn a body of 3 MB into gigabytes. Kinds nest about 20 levels, the largest published definitions of custom kinds
 * about 70.
 */
export const MAX_DEPTH = 256;

/**
 * Maximum nesting that readers accept. Higher than MAX_DEPTH, because clients send back `managedFields`, which nest slightly deeper than the fields
 * they describe, and webhooks exchange objects inside reviews.
 */
export const MAX_READ_DEPTH = MAX_DEPTH + 16;

/**
 * Limit for the indentation of an object in JSON or YAML, in spaces: two per level of each nested member or item. A body of 3 MB with a million
 * numbers, nested a hundred levels deep, would need 300 MB.
 */
export const MAX_INDENTATION = 32 * 1024 * 1024;

/** Whether an object nests too deeply, or too deeply for its size. Stops traversing at the limits. */
export function isTooDeep(object: unknown): boolean {
  return atOnce(isTooDeepSteps(object));
}

/** Returns the object. Throws if it nests too deeply. */
export function checkDepth<T>(object: T): T {
  if (isTooDeep(object)) throw new DepthError();
  return object;
}

/** Like `isTooDeep`. Can be interrupted between members of the object and of its parts. */
export function* isTooDeepSteps(object: unknown): Steps<boolean> {
  if (!isContainer(object)) return false;
  const budget = { left: MAX_INDENTATION };
  let count = 0;
  for (const key of givenKeysOf(object)) {
    if (++count % MEMBERS_PER_STEP === 0) yield;
    const part = object[key];
    if (!isContainer(part) || Array.isArray(part)) {
      if (exceeds(part, 2, budget)) return true;
      continue;
    }
    budget.left -= 2 * 2;
    for (const name of givenKeysOf(part)) {
      if (++count % MEMBERS_PER_STEP === 0) yield;
      if ((key !== "metadata" || name !== "managedFields") && exceeds(part[name], 3, budget)) return true;
    }
    if (budget.left < 0) return true;
  }
  return false;
}

export class DepthError extends Error {
  readonly code = "Depth";

  constructor() {
    super(`exceeded max depth of ${MAX_DEPTH}, or is nested too deep for its size`);
    this.name = "DepthError";
  }
}

function exceeds(value: unknown, level: number, budget: { left: number }): boolean {
  budget.left -= 2 * level;
  if (!isContainer(value)) return false;
  if (level > MAX_DEPTH || budget.left < 0) return true;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) if (exceeds(value[i], level + 1, budget)) return true;
    return budget.left < 0;
  }
  for (const key in value) if (exceeds(value[key], level + 1, budget)) return true;
  return budget.left < 0;
}

/** Excludes numbers, which may be represented by objects that preserve their notation. */
function isContainer(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !(value instanceof Number);
}
