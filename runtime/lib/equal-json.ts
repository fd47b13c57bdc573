/** Whether two plain JSON values are equal; the order of keys does not matter, nor does `undefined` for absent. */
export function equalJson(a: unknown, b: unknown): boolean {
  if (a === b) {
    return true;
  }
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) {
    return isLargeAndEqual(a, b) || isLargeAndEqual(b, a);
  }
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && equalLists(a, b);
  }
  return equalObjects(a as Record<string, unknown>, b as Record<string, unknown>);
}

/** Numbers beyond 64 bits are fractions to Go, however they were written. */
function isLargeAndEqual(a: unknown, b: unknown): boolean {
  return typeof a === "bigint" && typeof b === "number" && Number(a) === b;
}

function equalLists(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) {
    return false;
  }
  for (let i = 0; i < a.length; i++) {
    if (!equalJson(a[i], b[i])) {
      return false;
    }
  }
  return true;
}

/** Makes nothing on its way: it walks whole objects, several times in a request. */
function equalObjects(a: Record<string, unknown>, b: Record<string, unknown>): boolean {
  let unshared = 0;
  for (const key in b) if (b[key] !== undefined) unshared++;
  for (const key in a) {
    const value = a[key];
    if (value === undefined) continue;
    // What is inherited equals no JSON value.
    const other = b[key];
    if (value !== other && !(Object.hasOwn(b, key) && equalJson(value, other))) return false;
    unshared--;
  }
  return unshared === 0;
}
