/** JSON under construction: a key that is undefined is not written. */
export type JsonPart = string | number | boolean | null | bigint | readonly JsonPart[] | Json;
export type Json = { readonly [key: string]: JsonPart | undefined };

export type OpenApiDocument = Json & {
  readonly paths: Json;
  readonly definitions?: Json;
  readonly parameters?: Json;
  readonly components?: Json & { readonly schemas?: Json };
};

/** A copy with keys in order of name, the way documents of the platform are written. */
export function sortedByKey<T>(entries: Iterable<readonly [string, T]>): { [key: string]: T } {
  return Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}
