import type { Parsed } from "../../fixtures/plane-client.ts";

/** Returns the object without the fields that a response names as invalid; undefined if it names none. */
export function repaired(
  object: Parsed,
  { details, reason }: Parsed,
  makeAt: (path: readonly string[]) => unknown,
): Parsed | undefined {
  if (reason !== "Invalid" || details?.causes === undefined) return undefined;
  const copy = structuredClone(object);
  const causes = details.causes as Parsed[];
  for (const { field, reason: cause } of causes)
    if (cause === "FieldValueRequired") fill(copy, namesIn(field ?? ""), makeAt);
  if (JSON.stringify(copy) !== JSON.stringify(object)) return copy;
  const paths = causes.map(({ field }) => stepsOf(copy, field ?? ""));
  const known = paths.filter((path) => path.length > 0);
  if (known.length === 0) return undefined;
  // Removes the last items of a list first, so that the positions of the others do not change.
  for (const path of known.sort((one, other) => compare(other, one))) removeAt(copy, path);
  return JSON.stringify(copy) !== JSON.stringify(object) ? copy : undefined;
}

/** Returns the path of the deepest existing part of a field. */
function stepsOf(object: Parsed, field: string): string[] {
  const found: string[] = [];
  let value = object;
  for (const step of namesIn(field)) {
    if (typeof value !== "object" || value === null || !(step in value)) break;
    found.push(step);
    value = value[step];
  }
  return isKept(found) ? [] : found;
}

/** Sets a value for a required field whose parent exists. */
function fill(object: Parsed, path: readonly string[], makeAt: (path: readonly string[]) => unknown): void {
  const parent = path.slice(0, -1).reduce<Parsed>((value, step) => value?.[step], object);
  const name = path.at(-1);
  if (typeof parent !== "object" || parent === null || name === undefined || Array.isArray(parent)) return;
  if (parent[name] !== undefined && parent[name] !== "" && parent[name] !== 0) return;
  const value = makeAt(path);
  if (value !== undefined) parent[name] = value;
}

function namesIn(field: string): string[] {
  return [...field.matchAll(/\[([^\]]*)\]|([^.[\]]+)/g)].map(([, index, name]) => (index ?? name) as string);
}

const isKept = (path: readonly string[]): boolean =>
  /^(metadata(\.name)?|spec|apiVersion|kind|status)?$/.test(path.join("."));

function compare(one: readonly string[], other: readonly string[]): number {
  return one.join(".").localeCompare(other.join("."), "en", { numeric: true });
}

function removeAt(object: Parsed, path: readonly string[]): void {
  const parent = path.slice(0, -1).reduce<Parsed>((value, step) => value?.[step], object);
  const name = path.at(-1) as string;
  if (Array.isArray(parent)) parent.splice(Number(name), 1);
  else if (parent !== undefined && parent !== null) delete parent[name];
}
