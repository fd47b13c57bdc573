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

/** Whether an object nests deeper than is allowed. Looks no deeper than that, whatever the value is. */
export function isTooDeep(object: unknown): boolean {
  if (!isContainer(object)) return false;
  for (const key in object) {
    const member = object[key];
    if (key === "metadata" && isContainer(member)) {
      for (const name in member) if (name !== "managedFields" && exceeds(member[name], MAX_DEPTH - 2)) return true;
    } else if (exceeds(member, MAX_DEPTH - 1)) {
      return true;
    }
  }
  return false;
}

/** The object itself. Throws where it nests deeper than is allowed. */
export function checkDepth<T>(object: T): T {
  if (isTooDeep(object)) throw new DepthError();
  return object;
}

export class DepthError extends Error {
  readonly code = "Depth";

  constructor() {
    super(`exceeded max depth of ${MAX_DEPTH}`);
    this.name = "DepthError";
  }
}

function exceeds(value: unknown, levels: number): boolean {
  if (!isContainer(value)) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) if (exceeds(value[i], levels - 1)) return true;
    return false;
  }
  for (const key in value) if (exceeds(value[key], levels - 1)) return true;
  return false;
}

/** Numbers may be objects that remember how they were written. */
function isContainer(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !(value instanceof Number);
}
