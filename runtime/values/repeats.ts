/** Returns a function that reports whether a value was passed before. Constant time per value; `indexOf` would take quadratic time in total. */
export function repeats<T>(): (value: T) => boolean {
  const seen = new Set<T>();
  return (value) => seen.size === seen.add(value).size;
}
