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
  return holds(value, isGivenEmpty);
}

/** Whether something in a value, however deep, was given empty or is there without having been given: Go tells it from what is stored. */
export function holdsUnwritten(value: unknown): boolean {
  return holds(value, isUnwritten);
}

function isGivenEmpty(object: object): boolean {
  const empties = noted.get(object);
  if (empties === undefined) return false;
  for (const key of empties.keys()) if ((object as Record<string, unknown>)[key] === undefined) return true;
  return false;
}

function isUnwritten(object: object): boolean {
  return isGivenEmpty(object) || unsaid.has(object);
}

function holds(value: unknown, what: (object: object) => boolean): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (what(value)) return true;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) if (holds(value[i], what)) return true;
    return false;
  }
  for (const key in value) if (holds((value as Record<string, unknown>)[key], what)) return true;
  return false;
}
