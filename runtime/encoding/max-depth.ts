import { atOnce, type Steps } from "../lib/in-turns.ts";
import { givenKeysOf, MEMBERS_PER_STEP } from "../lib/json-object.ts";

/**
 * Nesting of objects and lists in an object of the API, `managedFields` not counted. One limit for every format that is read, so that
 * whatever is stored can be printed in all of them and walked by functions that recurse.
 *
 * Go's JSON reader follows 10,000 levels, Kubernetes' CBOR reader 64. Printed as indented JSON or YAML each line costs two
 * bytes per level: ten thousand levels would turn a body of 3 MB into gigabytes. Kinds nest about 20 levels, the largest
 * published definitions of custom kinds about 70.
 */
export const MAX_DEPTH = 256;

/**
 * Nesting that readers follow. A client sends an object back with the `managedFields` that it got, which nest a little deeper than the
 * fields that they name; webhooks get and send objects inside reviews.
 */
export const MAX_READ_DEPTH = MAX_DEPTH + 16;

/**
 * Spaces before the lines of an object, when it is printed as indented JSON or YAML: two for each level that a member or item is nested.
 * A body of 3 MB with a million numbers, a hundred levels deep, would need 300 MB of them.
 */
export const MAX_INDENTATION = 32 * 1024 * 1024;

/** Whether an object nests too deep, or too deep for its size. Looks no further than that, whatever the value is. */
export function isTooDeep(object: unknown): boolean {
  return atOnce(isTooDeepSteps(object));
}

/** The object itself. Throws where it nests deeper than is allowed. */
export function checkDepth<T>(object: T): T {
  if (isTooDeep(object)) throw new DepthError();
  return object;
}

/** `isTooDeep`; may be interrupted between members of the object and of its parts. */
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

/** Numbers may be objects that remember how they were written. */
function isContainer(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !(value instanceof Number);
}
