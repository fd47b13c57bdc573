/** A deep copy of plain JSON data (bigint included). Hostile keys stay ordinary properties. */
export function cloneJson<T>(value: T): T {
  return clone(value) as T;
}

function clone(value: unknown): unknown {
  if (typeof value !== "object" || value === null) {
    return value;
  }
  if (Array.isArray(value)) {
    return value.map(clone);
  }
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const member = clone((value as Record<string, unknown>)[key]);
    if (key === "__proto__") {
      Object.defineProperty(copy, key, { value: member, enumerable: true, configurable: true, writable: true });
    } else {
      copy[key] = member;
    }
  }
  return copy;
}
