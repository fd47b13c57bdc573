import { cloneJson } from "../../lib/clone-json.ts";

type Draft = { [key: string]: unknown };

/** Fields whose name or location differs between two versions: `{ "spec.title": "spec.name" }`. */
export interface Renames {
  readonly [from: string]: string;
}

/** Compiles declared renames into a function that copies the fields of an object into a draft of the other version, under their new names. */
export function compileRenames(renames: Renames): (from: object, draft: object) => void {
  const moves = Object.entries(renames).map(([from, to]) => ({ from: from.split("."), to: to.split(".") }));
  return (from, draft) => {
    for (const move of moves) {
      const value = read(from as Draft, move.from);
      if (value !== undefined) write(draft as Draft, move.to, cloneJson(value));
    }
  };
}

export function invertRenames(renames: Renames): Renames {
  return Object.fromEntries(Object.entries(renames).map(([from, to]) => [to, from]));
}

function read(object: Draft, path: readonly string[]): unknown {
  let value: unknown = object;
  for (const step of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Draft)[step];
  }
  return value ?? undefined;
}

function write(object: Draft, path: readonly string[], value: unknown): void {
  let parent = object;
  for (const step of path.slice(0, -1)) {
    const next = Object.hasOwn(parent, step) ? parent[step] : undefined;
    if (typeof next === "object" && next !== null && !Array.isArray(next)) {
      parent = next as Draft;
    } else {
      const made: Draft = {};
      parent[step] = made;
      parent = made;
    }
  }
  parent[path.at(-1) ?? ""] = value;
}
