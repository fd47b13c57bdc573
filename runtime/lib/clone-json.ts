/** Called with each copied object or list, and its copy. */
type OnCopy = (original: object, copy: object) => void;

/** Returns a deep copy of plain JSON data (including bigint). Hostile keys stay ordinary properties. */
export function cloneJson<T>(value: T, onCopy?: OnCopy): T {
  return clone(value, onCopy) as T;
}

function clone(value: unknown, onCopy: OnCopy | undefined): unknown {
  if (typeof value !== "object" || value === null) {
    return value;
  }
  if (Array.isArray(value)) {
    const list = value.map((member) => clone(member, onCopy));
    onCopy?.(value, list);
    return list;
  }
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const member = clone((value as Record<string, unknown>)[key], onCopy);
    if (key === "__proto__") {
      Object.defineProperty(copy, key, { value: member, enumerable: true, configurable: true, writable: true });
    } else {
      copy[key] = member;
    }
  }
  onCopy?.(value, copy);
  return copy;
}
