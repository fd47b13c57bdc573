import { stringifyJson } from "../encoding/json/stringify-json.ts";
import type { Steps } from "../lib/in-turns.ts";

/** Parts of an OpenAPI document that contain references or are their targets. */
export interface OpenApiParts {
  readonly paths: Readonly<Record<string, unknown>>;
  readonly definitions?: Readonly<Record<string, unknown>>;
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, unknown>> };
}

const REFERENCE = /"\$ref":"#\/(definitions|parameters|components\/schemas)\/([^"]+)"/g;

/**
 * Collects all direct and indirect references of the paths: `definitions/<name>`, `components/schemas/<name>` … `others` are references from
 * elsewhere. Yields after each path and part.
 */
export function* reachableParts(
  document: OpenApiParts,
  paths: Readonly<Record<string, unknown>>,
  others: readonly string[] = [],
): Steps<Set<string>> {
  const used = new Set<string>();
  const pending = Object.values(paths);
  const use = (where: string, name: string): void => {
    const key = `${where}/${name}`;
    if (used.has(key)) return;
    used.add(key);
    const parts =
      where === "components/schemas" ? document.components?.schemas : document[where as "definitions" | "parameters"];
    const found = parts?.[name];
    if (found !== undefined) pending.push(found);
  };
  for (const reference of others) {
    const slash = reference.lastIndexOf("/");
    use(reference.slice(0, slash), reference.slice(slash + 1));
  }
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    for (const [, where = "", name = ""] of stringifyJson(part).matchAll(REFERENCE)) use(where, name);
    yield;
  }
  return used;
}
