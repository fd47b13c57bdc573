import { cloneJson } from "../../lib/clone-json.ts";
import { splitEntries } from "../../lib/split-entries.ts";

type Draft = { [key: string]: unknown };

/**
 * Fields whose name or location differs between two versions: `{ "spec.title": "spec.name" }`. `[]` stands for every entry of a list or map:
 * `{ "spec.parts[].id": "spec.parts[].name" }`.
 */
export interface Renames {
  readonly [from: string]: string;
}

interface Move {
  readonly from: readonly string[];
  readonly to: readonly string[];
}

/** Moves within the entries at a path, with the names of the target version. An empty path means the object itself. */
interface Level {
  readonly entries: readonly string[];
  readonly moves: Move[];
}

/** Compiles declared renames into a function that moves the fields of an object into a draft of the other version, which starts as a copy. */
export function compileRenames(renames: Renames): (from: object, draft: object) => void {
  const levels = levelsOf(renames);
  return (from, draft) => {
    for (const { entries, moves } of levels) {
      if (entries.length === 0) move(moves, from as Draft, draft as Draft);
      else for (const entry of entriesAt(draft, entries)) move(moves, { ...entry }, entry);
    }
  };
}

/** Lists and maps are renamed before fields of their entries, which are then found by the new names. */
function levelsOf(renames: Renames): Level[] {
  const levels = new Map<string, Level>();
  for (const [from, to] of Object.entries(renames)) {
    const [source, target] = [splitEntries(from), splitEntries(to)];
    const level = levels.get(target.entries) ?? { entries: stepsOf(target.entries), moves: [] };
    level.moves.push({ from: source.field.split("."), to: target.field.split(".") });
    levels.set(target.entries, level);
  }
  const depth = ({ entries }: Level) => entries.filter((step) => step === "[]").length;
  return [...levels.values()].sort((a, b) => depth(a) - depth(b));
}

/** Removes all old names before it sets new ones, so that two fields can exchange their names. */
function move(moves: readonly Move[], from: Draft, draft: Draft): void {
  const values = moves.map((one) => read(from, one.from));
  for (const one of moves) remove(draft, one.from);
  for (const [index, one] of moves.entries())
    if (values[index] !== undefined) write(draft, one.to, cloneJson(values[index]));
}

export function invertRenames(renames: Renames): Renames {
  return Object.fromEntries(Object.entries(renames).map(([from, to]) => [to, from]));
}

/** Returns the path of a field in the other version: `spec.parts[2].id` becomes `spec.parts[2].name`. */
export function renamedPath(path: string, renames: Renames): string {
  const steps = stepsOf(path);
  // A key of a map may contain the separators of a path.
  if (pathOf(steps) !== path) return path;
  let longest: { readonly from: readonly string[]; readonly to: readonly string[] } | undefined;
  for (const [one, other] of Object.entries(renames)) {
    const from = stepsOf(one);
    const leads = from.every(
      (step, index) => step === steps[index] || (step === "[]" && steps[index]?.startsWith("[")),
    );
    if (leads && from.length > (longest?.from.length ?? 0)) longest = { from, to: stepsOf(other) };
  }
  if (longest === undefined) return path;
  const entries = steps.slice(0, longest.from.length).filter((step) => step.startsWith("["));
  const renamed = longest.to.map((step) => (step === "[]" ? (entries.shift() ?? step) : step));
  return pathOf([...renamed, ...steps.slice(longest.from.length)]);
}

function pathOf(steps: readonly string[]): string {
  return steps.join(".").replaceAll(".[", "[");
}

function stepsOf(path: string): string[] {
  return path.match(/\[[^[\]]*\]|[^.[\]]+/g) ?? [];
}

/** The objects that a path leads to, such as all items of `spec.parts[]`. */
function entriesAt(object: object, steps: readonly string[]): Draft[] {
  let found: unknown[] = [object];
  for (const step of steps) {
    found = found.filter(isObject).flatMap((one): unknown[] => {
      if (step === "[]") return Object.values(one);
      return Object.hasOwn(one, step) ? [(one as Draft)[step]] : [];
    });
  }
  return found.filter((one): one is Draft => isObject(one) && !Array.isArray(one));
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function parentOf(object: Draft, path: readonly string[]): Draft | undefined {
  let value: unknown = object;
  for (const step of path.slice(0, -1)) {
    if (!isObject(value) || !Object.hasOwn(value, step)) return undefined;
    value = (value as Draft)[step];
  }
  return isObject(value) ? (value as Draft) : undefined;
}

function read(object: Draft, path: readonly string[]): unknown {
  const [parent, name] = [parentOf(object, path), path.at(-1) ?? ""];
  return parent !== undefined && Object.hasOwn(parent, name) ? (parent[name] ?? undefined) : undefined;
}

function remove(object: Draft, path: readonly string[]): void {
  const parent = parentOf(object, path);
  if (parent !== undefined) delete parent[path.at(-1) ?? ""];
}

function write(object: Draft, path: readonly string[], value: unknown): void {
  let parent = object;
  for (const step of path.slice(0, -1)) {
    const next = Object.hasOwn(parent, step) ? parent[step] : undefined;
    if (isObject(next) && !Array.isArray(next)) {
      parent = next as Draft;
    } else {
      const made: Draft = {};
      parent[step] = made;
      parent = made;
    }
  }
  parent[path.at(-1) ?? ""] = value;
}
