import { stringifyJson } from "../encoding/json/stringify-json.ts";
import type { Steps } from "../lib/in-turns.ts";

/** Parts of an OpenAPI document that contain or are the target of references. */
export interface OpenApiParts {
  readonly paths: Readonly<Record<string, unknown>>;
  readonly definitions?: Readonly<Record<string, unknown>>;
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, unknown>> };
}

const REFERENCE = /"\$ref":"#\/(definitions|parameters|components\/schemas)\/([^"]+)"/g;

/** All direct and indirect references of the paths: `definitions/<name>`, `components/schemas/<name>` … Yields after each path and part. */
export function* reachableParts(document: OpenApiParts, paths: Readonly<Record<string, unknown>>): Steps<Set<string>> {
  const used = new Set<string>();
  const pending = Object.values(paths);
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    for (const [, where, name] of stringifyJson(part).matchAll(REFERENCE)) {
      const key = `${where}/${name}`;
      if (used.has(key)) continue;
      used.add(key);
      const parts =
        where === "components/schemas" ? document.components?.schemas : document[where as "definitions" | "parameters"];
      const found = parts?.[name!];
      if (found !== undefined) pending.push(found);
    }
    yield;
  }
  return used;
}
