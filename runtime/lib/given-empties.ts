import { carryGivenAmounts } from "./given-amounts.ts";
import { carryGivenFloats } from "./given-floats.ts";
import { carryKnownAmounts } from "./known-amounts.ts";

/**
 * Lists, maps and bytes that were given, and given empty. Canonical objects leave them out like those that were not given, and
 * what is stored knows no difference; yet Go does, and some messages and owners of fields show it for as long as the
 * request lasts. What is noted belongs to the very object that was decoded: copies know nothing of it unless they are told.
 */
const noted = new WeakMap<object, Map<string, unknown>>();

export function noteGivenEmpty(object: object, key: string, empty: unknown): void {
  const known = noted.get(object);
  if (known === undefined) noted.set(object, new Map([[key, empty]]));
  else known.set(key, empty);
}

/** What was not given and is there all the same: amounts that are always written, where Go has none, and what defaults share. */
const unsaid = new WeakMap<object, Set<string>>();

export function noteUnsaid(object: object, key: string): void {
  const known = unsaid.get(object);
  if (known === undefined) unsaid.set(object, new Set([key]));
  else known.add(key);
}

export function isUnsaid(object: object, key: string): boolean {
  return unsaid.get(object)?.has(key) === true;
}

/** Whether something in a value, however deep, is there without having been given. */
export function holdsUnsaid(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (unsaid.has(value)) return true;
  return (Array.isArray(value) ? value : Object.values(value)).some(holdsUnsaid);
}

/** For a copy that takes the place of an object. */
export function carryGivenEmpties(object: object, copy: object): void {
  carryGivenAmounts(object, copy);
  carryGivenFloats(object, copy);
  carryKnownAmounts(object, copy);
  const missing = unsaid.get(object);
  if (missing !== undefined && !unsaid.has(copy)) unsaid.set(copy, missing);
  const known = noted.get(object);
  if (known !== undefined && !noted.has(copy)) noted.set(copy, known);
}

/** A member of an object; an empty one if it was given as such. */
export function asGiven<T extends object, K extends keyof T & string>(object: T | undefined, key: K): T[K] | undefined {
  if (object === undefined) return undefined;
  return object[key] ?? (noted.get(object)?.get(key) as T[K] | undefined) ?? object[key];
}

/** Whether something in a value, however deep, was given empty, and no default has filled it. */
export function holdsGivenEmpty(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const empties = [...(noted.get(value)?.keys() ?? [])];
  if (empties.some((key) => (value as Record<string, unknown>)[key] === undefined)) return true;
  return (Array.isArray(value) ? value : Object.values(value)).some(holdsGivenEmpty);
}
