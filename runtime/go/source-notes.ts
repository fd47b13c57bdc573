import { FloatLiteral } from "../lib/float-literal.ts";
import { parseQuantity, type Quantity, quantityAt } from "../values/quantity.ts";

/**
 * Facts about a decoded object that Go's structs keep and canonical JSON does not. An empty list is stored like an absent one, `1000m` as
 * `1`, `2.0` as `2`; but during the request, messages, field ownership and generations depend on the difference. Such facts are recorded
 * for the object, list or map that they are about:
 *
 *     given    {"limits": {"cpu": "1000m"}, "requests": {}}
 *     decoded  {"limits": {"cpu": "1"}}       notes of the whole: empties {requests: {}}
 *                                             notes of `limits`: quantities "all", givenQuantities {cpu: 1000m}
 *
 * Notes are looked up by object identity in one WeakMap rather than passed as arguments: they belong to parts at any depth, which
 * hooks, conversions and printers pass to each other as plain values, and few objects have any. Code that replaces an object
 * by a copy calls `carryNotes(object, copy)`; otherwise the copy has no notes.
 */
export interface SourceNotes {
  /** Lists, maps and strings that were empty in the input, by key; canonical objects omit them. */
  empties?: Map<string, unknown>;
  /** Keys of members that were absent in the input but are always written. */
  notGiven?: Set<string>;
  /** Keys of the members that are quantities, or "all". */
  quantities?: Set<string> | "all";
  /** Quantities that were not in canonical form in the input; null for those that were null. */
  givenQuantities?: Map<string, Quantity | null>;
  /** Keys or indexes of whole numbers that were written as floats (`2.0`), in objects without Go types. */
  floats?: Set<string>;
  /** Source text of raw data, if this server would write it differently. Never carried to copies, which may have been changed. */
  text?: string;
  /** Digest of the source text, if it is too long to keep. */
  textDigest?: string;
}

const notes = new WeakMap<object, SourceNotes>();

export function notesOf(object: object): Readonly<SourceNotes> | undefined {
  return notes.get(object);
}

/** The notes of an object, created if it has none, for adding to them. */
export function notesFor(object: object): SourceNotes {
  let known = notes.get(object);
  if (known === undefined) notes.set(object, (known = {}));
  return known;
}

/** Copies the notes of an object to the copy that replaces it. Notes that the copy already has take precedence. */
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

/** Removes the note about an empty member, for code that omits the member if it is empty. */
export function forgetGivenEmpty(object: object, key: string): void {
  notes.get(object)?.empties?.delete(key);
}

/** Returns a member of an object, or the empty value that the input contained for it. */
export function asGiven<T extends object, K extends keyof T & string>(object: T | undefined, key: K): T[K] | undefined {
  if (object === undefined) return undefined;
  return object[key] ?? (notes.get(object)?.empties?.get(key) as T[K] | undefined) ?? object[key];
}

/** For quantities that are always written but absent in Go, and for defaults that several parts share. */
export function noteNotGiven(object: object, key: string): void {
  const known = notesFor(object);
  (known.notGiven ??= new Set()).add(key);
}

export function isNotGiven(object: object, key: string): boolean {
  return notes.get(object)?.notGiven?.has(key) === true;
}

/** Records that a member of an object is a quantity, or that all members are. */
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

/** `text` is null if the quantity was null in the input. */
export function noteGivenQuantity(holder: object, key: string, text: string | null): void {
  setGivenQuantity(holder, key, text === null ? null : parseQuantity(text));
}

/** Returns the quantity of the input. Undefined if it does not differ from the member. */
export function givenQuantity(holder: object, key: string): Quantity | null | undefined {
  return notes.get(holder)?.givenQuantities?.get(key);
}

/** Rounds the recorded quantity up to a multiple of 10^scale, for a member that is rounded the same way. */
export function roundGivenQuantity(holder: object, key: string, scale: number): void {
  const given = givenQuantity(holder, key);
  if (given === undefined || given === null || given.scale >= scale) return;
  const { format, isBig = false } = given;
  setGivenQuantity(holder, key, { unscaled: quantityAt(given, scale), scale, format, isBig });
}

/** Merges resource lists together with the recorded forms of their quantities. For a key in several lists, the last one wins. */
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

export function isGivenFloat(holder: object, key: string | number): boolean {
  return notes.get(holder)?.floats?.has(String(key)) === true;
}

/** Returns a member as written in the input: a FloatLiteral if it was written as a float. */
export function withGivenFloat<T>(holder: object, key: string | number, member: T): T | FloatLiteral {
  if (typeof member !== "number" || !isGivenFloat(holder, key)) return member;
  return new FloatLiteral(String(member));
}

/** Whole numbers from here on are floats to Go, regardless of their notation. */
const INT64_END = 2 ** 63;

/** Whether a value contains, at any depth, a float that the store keeps as an integer: Go sees a difference from the stored object. */
export function holdsGivenFloat(value: unknown): boolean {
  return holds(value, (object) => {
    for (const key of notes.get(object)?.floats ?? []) {
      const member = (object as Record<string, unknown>)[key];
      if (typeof member === "number" && Math.abs(member) < INT64_END) return true;
    }
    return false;
  });
}

/** Whether a value contains, at any depth, a member that was empty in the input and was not defaulted. */
export function holdsGivenEmpty(value: unknown): boolean {
  return holds(value, isGivenEmpty);
}

/**
 * Whether a value contains, at any depth, a member that was empty in the input, or is written although it was absent: Go sees a difference
 * from the stored object.
 */
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
