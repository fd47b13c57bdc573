/** JSON under construction. Keys with the value undefined are omitted. */
export type JsonPart = string | number | boolean | null | bigint | readonly JsonPart[] | Json;
export type Json = { readonly [key: string]: JsonPart | undefined };

export type OpenApiDocument = Json & {
  readonly paths: Json;
  readonly definitions?: Json;
  readonly parameters?: Json;
  readonly components?: Json & { readonly schemas?: Json };
};

/** Returns a copy with keys sorted by name, the order of all documents. */
export function sortedByKey<T>(entries: Iterable<readonly [string, T]>): { [key: string]: T } {
  return Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}

/** A copy whose members, which are objects, are mapped. */
export function mapValues(members: Json, map: (member: Json) => Json): Json {
  return Object.fromEntries(
    Object.entries(members).map(([name, member]): [string, JsonPart] => [name, map(member as Json)]),
  );
}
