import type { Steps } from "./in-turns.ts";

/**
 * Plain JSON values, and operations on own properties by which hostile keys (`__proto__`, `constructor`) are harmless. Integers beyond the exact
 * range of a double are bigint.
 */
export type JsonScalar = string | number | bigint | boolean | null;
export type JsonValue = JsonScalar | JsonArray | JsonObject;
export type JsonArray = readonly JsonValue[];
export interface JsonObject {
  readonly [key: string]: JsonValue;
}
/** An object under construction. */
export type JsonObjectDraft = { [key: string]: JsonValue };

/** Whether a value is a JSON object. Numbers that the parser keeps as text (`FloatLiteral`) are scalars, although they are JavaScript objects. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Number);
}

export function isJsonArray(value: unknown): value is JsonArray {
  return Array.isArray(value);
}

/** Returns the own property `key`, or undefined. Ignores inherited properties. */
export function getOwn<T>(object: { readonly [key: string]: T } | undefined, key: string): T | undefined {
  return object !== undefined && Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Returns a function that reads a field, whose name may be that of an inherited property such as `toString`. */
export function fieldReader(name: string): (object: { readonly [key: string]: unknown }) => unknown {
  return name in Object.prototype ? (object) => getOwn(object, name) : (object) => object[name];
}

/** Sets an own property of any name. */
export function setOwn(object: { [key: string]: unknown }, key: string, value: unknown): void {
  if (key === "__proto__") {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    object[key] = value;
  }
}

/** Number of members that are copied or changed in one step. */
export const MEMBERS_PER_STEP = 500;

/** Returns a shallow copy with keys in the same order. For large objects, can be interrupted and takes half the time of `{ ...object }`. */
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

/** Caches the sorted keys of a large map that is no longer changed: V8 sorts keys each time they are listed, which takes long. */
export function noteSortedKeys(map: object, keys: readonly string[]): void {
  sortedKeys.set(map, keys);
}

/** Returns the cached keys, in order. */
export function notedKeys(map: object): readonly string[] | undefined {
  return sortedKeys.get(map);
}

/** Returns the keys of a map, which may be large. */
export function keysOf(map: object): readonly string[] {
  return sortedKeys.get(map) ?? Object.keys(map);
}

/** Number of keys from which listing them is slow. */
export const MANY_KEYS = 5000;

const givenKeys = new WeakMap<object, readonly string[]>();

/**
 * Caches the keys of a large object that was parsed, or merged from such objects, for readers before the first change. `keys` are in insertion
 * order, followed by `added`.
 */
export function noteGivenKeys(object: object, keys: readonly string[], added: readonly string[] = []): void {
  if (keys.length + added.length < MANY_KEYS || keys.some(isIndex) || added.some(isIndex)) return;
  givenKeys.set(object, added.length === 0 ? keys : [...keys, ...added]);
}

/** Returns the keys of a part of a request that was not changed since it was parsed or merged. */
export function givenKeysOf(object: object): readonly string[] {
  return givenKeys.get(object) ?? Object.keys(object);
}

/** Matches a key that JavaScript may treat as an array index and list before others. */
const INDEX = /^\d{1,10}$/;

export function isIndex(key: string): boolean {
  const first = key.charCodeAt(0);
  return first >= 0x30 && first <= 0x39 && INDEX.test(key);
}

/** Returns a shallow copy of `object` with `key` set. */
export function withOwn(object: JsonObject, key: string, value: JsonValue): JsonObject {
  const copy: JsonObjectDraft = { ...object };
  setOwn(copy, key, value);
  return copy;
}

/** Returns `object` without `key`, or the object itself if it has no such key. Deleting from a copy would result in a slow object. */
export function withoutOwn(object: JsonObject, key: string): JsonObject {
  if (!Object.hasOwn(object, key)) return object;
  const copy: JsonObjectDraft = {};
  for (const name in object) if (name !== key) setOwn(copy, name, object[name]);
  return copy;
}

/** Returns the object at `key`. Undefined if the value is not an object. */
export function getObject(object: JsonObject | undefined, key: string): JsonObject | undefined {
  const value = getOwn(object, key);
  return isJsonObject(value) ? value : undefined;
}

/** Returns the string at `key`. Empty if the value is not a string. */
export function getString(object: JsonObject | undefined, key: string): string {
  const value = getOwn(object, key);
  return typeof value === "string" ? value : "";
}

/** Whether an object is of a custom kind: its members are sorted at all levels, as Go prints maps. Objects of other kinds begin with `kind`. */
export function isSortedObject(object: object): boolean {
  for (const name in object) {
    if (name === "kind") return false;
    if (name === "apiVersion") return true;
  }
  return false;
}
