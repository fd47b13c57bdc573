import { FloatLiteral } from "../lib/float-literal.ts";
import { parseQuantity, type Quantity, quantityAt } from "../values/quantity.ts";

/**
 * What Go still knows of an object that it has decoded, and canonical JSON does not say. An empty list and none are stored alike, `1000m`
 * is stored as `1`, `2.0` as `2`; yet for as long as the request lasts, messages, owners of fields and generations tell them
 * apart. Such facts are noted beside the very object, list or map that they are about:
 *
 *     given    {"limits": {"cpu": "1000m"}, "requests": {}}
 *     decoded  {"limits": {"cpu": "1"}}       notes of the whole: empties {requests: {}}
 *                                             notes of `limits`: quantities "all", givenQuantities {cpu: 1000m}
 *
 * They are found by the identity of the object, in this one map, and not passed as an argument: they belong to parts at any depth, which
 * hooks, conversions and printers hand to each other as plain values, and nearly no object has any. Code that replaces an object
 * by another calls `carryNotes(object, copy)`; without that, a copy has none.
 */
export interface SourceNotes {
  /** Lists, maps and strings that were given empty, which canonical objects leave out. */
  empties?: Map<string, unknown>;
  /** Keys of members that were not given and are written all the same. */
  notGiven?: Set<string>;
  /** Keys of members that are quantities: those noted, or all. */
  quantities?: Set<string> | "all";
  /** Quantities that were given in another form than the canonical one; null for those given as null. */
  givenQuantities?: Map<string, Quantity | null>;
  /** Keys or indexes of whole numbers that were written as floats, in objects without Go types. */
  floats?: Set<string>;
  /** Text of raw data, if it is not the one this server would write. It is that of one value only: copies may be changed, so it is never carried. */
  text?: string;
  /** Digest of that text, if it is too long to be kept. */
  textDigest?: string;
}

const notes = new WeakMap<object, SourceNotes>();

export function notesOf(object: object): Readonly<SourceNotes> | undefined {
  return notes.get(object);
}

/** The notes of an object, to be added to. */
export function notesFor(object: object): SourceNotes {
  let known = notes.get(object);
  if (known === undefined) notes.set(object, (known = {}));
  return known;
}

/** For a copy that takes the place of an object. What the copy has notes of already stays. */
export function carryNotes(object: object, copy: object): void {
  const known = notes.get(object);
  if (known === undefined || object === copy) return;
  const { text: _text, textDigest: _digest, ...carried } = known;
  notes.set(copy, { ...carried, ...notes.get(copy) });
}

export function noteGivenEmpty(object: object, key: string, empty: unknown): void {
  const known = notesFor(object);
  (known.empties ??= new Map()).set(key, empty);
}

/** A member of an object; an empty one if it was given as such. */
export function asGiven<T extends object, K extends keyof T & string>(object: T | undefined, key: K): T[K] | undefined {
  if (object === undefined) return undefined;
  return object[key] ?? (notes.get(object)?.empties?.get(key) as T[K] | undefined) ?? object[key];
}

/** For quantities that are always written, where Go has none, and for what several parts share by default. */
export function noteNotGiven(object: object, key: string): void {
  const known = notesFor(object);
  (known.notGiven ??= new Set()).add(key);
}

export function isNotGiven(object: object, key: string): boolean {
  return notes.get(object)?.notGiven?.has(key) === true;
}

/** Notes that a member of an object is a quantity, or that all are. */
export function noteQuantities(holder: object, key?: string): void {
  const known = notesFor(holder);
  if (key === undefined) known.quantities = "all";
  else if (known.quantities === undefined) known.quantities = new Set([key]);
  else if (known.quantities !== "all") known.quantities.add(key);
}

export function isQuantity(holder: object, key: string): boolean {
  const quantities = notes.get(holder)?.quantities;
  return quantities === "all" || quantities?.has(key) === true;
}

/** `text` is null for a quantity that was given as null. */
export function noteGivenQuantity(holder: object, key: string, text: string | null): void {
  setGivenQuantity(holder, key, text === null ? null : parseQuantity(text));
}

/** Undefined where nothing else was given than what is there. */
export function givenQuantity(holder: object, key: string): Quantity | null | undefined {
  return notes.get(holder)?.givenQuantities?.get(key);
}

/** For a quantity that is rounded up to 10^scale. */
export function roundGivenQuantity(holder: object, key: string, scale: number): void {
  const given = givenQuantity(holder, key);
  if (given === undefined || given === null || given.scale >= scale) return;
  const { format, isBig = false } = given;
  setGivenQuantity(holder, key, { unscaled: quantityAt(given, scale), scale, format, isBig });
}

/** The quantities of all lists, as they were given; of the same quantity, the last. */
export function mergeQuantities(...lists: (Readonly<Record<string, string>> | undefined)[]): Record<string, string> {
  const merged: Record<string, string> = {};
  noteQuantities(merged);
  for (const list of lists) {
    for (const [key, text] of Object.entries(list ?? {})) {
      merged[key] = text;
      const given = givenQuantity(list ?? {}, key);
      if (given !== undefined) setGivenQuantity(merged, key, given);
      else notesFor(merged).givenQuantities?.delete(key);
    }
  }
  return merged;
}

function setGivenQuantity(holder: object, key: string, quantity: Quantity | null): void {
  const known = notesFor(holder);
  (known.givenQuantities ??= new Map()).set(key, quantity);
}

export function noteGivenFloat(holder: object, key: string | number): void {
  const known = notesFor(holder);
  (known.floats ??= new Set()).add(String(key));
}

/** A member as it was given: the literal of a number that was written as a float. */
export function withGivenFloat<T>(holder: object, key: string | number, member: T): T | FloatLiteral {
  if (typeof member !== "number" || !notes.get(holder)?.floats?.has(String(key))) return member;
  return new FloatLiteral(String(member));
}

/** Whether something in a value, however deep, was given empty, and no default has filled it. */
export function holdsGivenEmpty(value: unknown): boolean {
  return holds(value, isGivenEmpty);
}

/** Whether something in a value, however deep, was given empty or is there without having been given: Go tells it from what is stored. */
export function holdsUnwritten(value: unknown): boolean {
  return holds(value, (object) => isGivenEmpty(object) || notes.get(object)?.notGiven !== undefined);
}

function isGivenEmpty(object: object): boolean {
  const empties = notes.get(object)?.empties;
  if (empties === undefined) return false;
  for (const key of empties.keys()) if ((object as Record<string, unknown>)[key] === undefined) return true;
  return false;
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
