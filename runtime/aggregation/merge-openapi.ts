import { equalJson } from "../lib/equal-json.ts";
import { atOnce } from "../lib/in-turns.ts";
import { type OpenApiParts, reachableParts } from "./openapi-references.ts";

type Members = Readonly<Record<string, unknown>>;

/** An OpenAPI document of version 2. */
export interface Swagger extends OpenApiParts {
  readonly info?: unknown;
  readonly paths: Members;
  readonly definitions?: Members;
  readonly parameters?: Members;
}

/** Selects the paths of a document that start with a prefix, with the definitions and parameters to which they refer. */
export function selectBelow(document: Swagger, prefix: string): Swagger {
  const paths = pick(document.paths, (path) => path.startsWith(prefix));
  const used = atOnce(reachableParts(document, paths));
  return {
    ...(document.info !== undefined && { info: document.info }),
    paths,
    definitions: pick(document.definitions, (name) => used.has(`definitions/${name}`)),
    parameters: pick(document.parameters, (name) => used.has(`parameters/${name}`)),
  };
}

/**
 * Adds the paths of another document. If both use a name for different definitions, that of the other is renamed to `<name>_v2`, `_v3` …. If both
 * contain a path, the first is kept.
 */
export function mergeSwagger(document: Swagger, other: Swagger, gvkKey: string): Swagger {
  const definitions = mergeNamed(document.definitions, other.definitions, gvkKey);
  const parameters = mergeNamed(document.parameters, other.parameters, gvkKey);
  const hasRenamed = definitions.renamed.size + parameters.renamed.size > 0;
  const names = { definitions: definitions.renamed, parameters: parameters.renamed };
  const renamed = hasRenamed ? rename(other, names) : other;
  const added = (merged: Merged, part: Members | undefined): Members =>
    Object.fromEntries(
      merged.added.map((name) => [merged.renamed.get(name) ?? name, (part as Members)[name]] as const),
    );
  return {
    ...document,
    paths: { ...renamed.paths, ...document.paths },
    definitions: { ...definitions.kept, ...added(definitions, renamed.definitions) },
    ...(document.parameters || other.parameters
      ? { parameters: { ...parameters.kept, ...added(parameters, renamed.parameters) } }
      : {}),
  };
}

interface Merged {
  /** Members of the first document, extended by the kinds that the other document lists for equal members. */
  readonly kept: Members;
  /** Names, in the other document, of members that the first does not contain. */
  readonly added: readonly string[];
  readonly renamed: ReadonlyMap<string, string>;
}

function mergeNamed(first: Members = {}, other: Members = {}, gvkKey: string): Merged {
  const kept: Record<string, unknown> = { ...first };
  const added: string[] = [];
  const renamed = new Map<string, string>();
  for (const [name, value] of Object.entries(other)) {
    const isSame = (candidate: string): boolean =>
      Object.hasOwn(kept, candidate) && equalJson(withoutKinds(kept[candidate], gvkKey), withoutKinds(value, gvkKey));
    let free = name;
    for (let turn = 2; Object.hasOwn(first, free) && !isSame(free); turn += 1) free = `${name}_v${turn}`;
    if (free !== name) renamed.set(name, free);
    if (Object.hasOwn(first, free)) kept[free] = joinKinds(first[free] as Members, value as Members, gvkKey);
    else added.push(name);
  }
  return { kept, added, renamed };
}

function withoutKinds(value: unknown, gvkKey: string): unknown {
  const { [gvkKey]: _, ...rest } = value as Members;
  return rest;
}

function joinKinds(own: Members, other: Members, gvkKey: string): Members {
  const more = (other[gvkKey] ?? []) as readonly unknown[];
  const known = (own[gvkKey] ?? []) as readonly unknown[];
  const names = new Set(known.map(kindName));
  const fresh = more.filter((kind) => !names.has(kindName(kind)));
  return fresh.length === 0 ? own : { ...own, [gvkKey]: [...known, ...fresh] };
}

function kindName(value: unknown): string {
  const { group, version, kind } = (value ?? {}) as Members;
  return JSON.stringify([group, version, kind]);
}

type Renamed = Readonly<Record<string, ReadonlyMap<string, string>>>;

const REFERENCE = /^#\/(definitions|parameters)\/(.+)$/;

/** Returns the value with references to renamed members replaced. */
function rename<T>(value: T, names: Renamed): T {
  if (Array.isArray(value)) return value.map((item) => rename(item, names)) as T;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, member]) => {
    const isReference = key === "$ref" && typeof member === "string";
    const [, part = "", name = ""] = (isReference && REFERENCE.exec(member)) || [];
    const other = names[part]?.get(name);
    return [key, other === undefined ? rename(member, names) : `#/${part}/${other}`];
  });
  return Object.fromEntries(entries) as T;
}

/** Returns the wanted members. Drops those that are not objects. */
function pick(members: Members | undefined, isWanted: (name: string) => boolean): Members {
  return Object.fromEntries(
    Object.entries(members ?? {}).filter(
      ([name, value]) => isWanted(name) && typeof value === "object" && value !== null,
    ),
  );
}
