import type { Steps } from "./in-turns.ts";

/**
 * Plain JSON values and the few own-property operations that keep hostile keys (`__proto__`, `constructor`) harmless.
 * Integers that a double cannot hold appear as bigint.
 */
export type JsonScalar = string | number | bigint | boolean | null;
export type JsonValue = JsonScalar | JsonArray | JsonObject;
export type JsonArray = readonly JsonValue[];
export interface JsonObject {
  readonly [key: string]: JsonValue;
}
/** An object under construction. */
export type JsonObjectDraft = { [key: string]: JsonValue };

/** Numbers that the parser keeps as text (`FloatLiteral`) are scalars, although they are objects to JavaScript. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Number);
}

export function isJsonArray(value: unknown): value is JsonArray {
  return Array.isArray(value);
}

/** The own property `key`, or undefined: never something inherited. */
export function getOwn<T>(object: { readonly [key: string]: T } | undefined, key: string): T | undefined {
  return object !== undefined && Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Reads a field that may have the name of a property that all objects inherit, such as `toString`. */
export function fieldReader(name: string): (object: { readonly [key: string]: unknown }) => unknown {
  return name in Object.prototype ? (object) => getOwn(object, name) : (object) => object[name];
}

/** Sets an own property whatever its name. */
export function setOwn(object: { [key: string]: unknown }, key: string, value: unknown): void {
  if (key === "__proto__") {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    object[key] = value;
  }
}

/** Members that one step of a longer work copies, or changes. */
export const MEMBERS_PER_STEP = 500;

/** A shallow copy, with the keys in the same order; of a large object it may be interrupted, and takes half the time of `{ ...object }`. */
export function* copySteps(object: JsonObject, keys: readonly string[] = Object.keys(object)): Steps<JsonObjectDraft> {
  if (keys.length <= MEMBERS_PER_STEP) return { ...object };
  const copy: JsonObjectDraft = {};
  for (let i = 0; i < keys.length; i++) {
    if (i % MEMBERS_PER_STEP === 0) yield;
    const key = keys[i] as string;
    setOwn(copy, key, object[key]);
  }
  return copy;
}

const sortedKeys = new WeakMap<object, readonly string[]>();

/** Remembers the keys of a large map that nobody changes any more: V8 sorts them each time they are listed, which takes long. */
export function noteSortedKeys(map: object, keys: readonly string[]): void {
  sortedKeys.set(map, keys);
}

/** Keys that were noted, in order. */
export function notedKeys(map: object): readonly string[] | undefined {
  return sortedKeys.get(map);
}

/** The keys of a map that may be large. */
export function keysOf(map: object): readonly string[] {
  return sortedKeys.get(map) ?? Object.keys(map);
}

/** Objects with fewer keys are listed fast. */
export const MANY_KEYS = 5000;

const givenKeys = new WeakMap<object, readonly string[]>();

/**
 * Remembers the keys of a large object that was parsed, or merged from such objects, for those who read it before anybody changes it. `keys`
 * are in the order in which they were set, `added` after the others.
 */
export function noteGivenKeys(object: object, keys: readonly string[], added: readonly string[] = []): void {
  if (keys.length + added.length < MANY_KEYS || keys.some(isIndex) || added.some(isIndex)) return;
  givenKeys.set(object, added.length === 0 ? keys : [...keys, ...added]);
}

/** The keys of a part of a request that nobody has changed since it was parsed or merged. */
export function givenKeysOf(object: object): readonly string[] {
  return givenKeys.get(object) ?? Object.keys(object);
}

/** A key that JavaScript may take for an index, and lists before others. */
const INDEX = /^\d{1,10}$/;

export function isIndex(key: string): boolean {
  const first = key.charCodeAt(0);
  return first >= 0x30 && first <= 0x39 && INDEX.test(key);
}

/** A shallow copy of `object` with `key` set. */
export function withOwn(object: JsonObject, key: string, value: JsonValue): JsonObject {
  const copy: JsonObjectDraft = { ...object };
  setOwn(copy, key, value);
  return copy;
}

/** `object` without `key`: itself if it has no such key. Deleting from a copy would make one that is slow to use. */
export function withoutOwn(object: JsonObject, key: string): JsonObject {
  if (!Object.hasOwn(object, key)) return object;
  const copy: JsonObjectDraft = {};
  for (const name in object) if (name !== key) setOwn(copy, name, object[name]);
  return copy;
}

/** The object under `key`, or undefined if there is none or it is something else. */
export function getObject(object: JsonObject | undefined, key: string): JsonObject | undefined {
  const value = getOwn(object, key);
  return isJsonObject(value) ? value : undefined;
}

/** The string under `key`, or the empty string. */
export function getString(object: JsonObject | undefined, key: string): string {
  const value = getOwn(object, key);
  return typeof value === "string" ? value : "";
}

/**
 * Whether an object is of a custom kind: its members are sorted, at every depth, as Go prints maps. Objects of other kinds begin with
 * `kind`.
 */
export function isSortedObject(object: object): boolean {
  for (const name in object) {
    if (name === "kind") return false;
    if (name === "apiVersion") return true;
  }
  return false;
}
