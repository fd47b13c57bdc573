/** Whether two values certainly have the same JSON. The order of keys matters, and only plain objects are compared. */
export function printsAlike(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    for (let i = 0; i < a.length; i++) if (!printsAlike(a[i], b[i])) return false;
    return true;
  }
  if (!isPlain(a) || !isPlain(b)) return false;
  const keys = Object.keys(b);
  let count = 0;
  for (const key in a) {
    if (key !== keys[count++] || !printsAlike(a[key], b[key])) return false;
  }
  return count === keys.length;
}

function isPlain(value: object): value is { readonly [key: string]: unknown } {
  return Object.getPrototypeOf(value) === Object.prototype;
}
