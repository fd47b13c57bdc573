/** Reports for one value after another whether it was given before, in constant time each: `indexOf` would take quadratic time. */
export function repeats<T>(): (value: T) => boolean {
  const seen = new Set<T>();
  return (value) => seen.size === seen.add(value).size;
}
