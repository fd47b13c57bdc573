/** JSON under construction. */
export type Json = { readonly [key: string]: JsonPart };
export type JsonPart = string | number | boolean | null | readonly JsonPart[] | { readonly [key: string]: JsonPart | undefined };

/** A copy with keys in order of name, the way documents of the platform are written. */
export function sortedByKey<T>(entries: Iterable<readonly [string, T]>): { [key: string]: T } {
  return Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}
