import { keysOf } from "../../lib/json-object.ts";
import { EvaluationError, noSuchKey, noSuchOverload } from "./evaluation-error.ts";
import { Double, Uint } from "./numbers.ts";

/** A value of a library's own type, such as a quantity or an IP address. */
export abstract class OpaqueValue {
  /** The name of its type, which distinguishes it from values of other types. */
  abstract readonly typeName: string;
  abstract equals(other: OpaqueValue): boolean;
  /** Name of the Go type, for messages about values that cannot be converted. */
  readonly goType?: string;
  /** Whether the value was computed from another. Kubernetes allows it as the left operand of a comparison but not as the right one. */
  readonly isResult?: boolean;
  /** Size for cost calculations. 1 for values without parts. */
  get size(): number {
    return 1;
  }
}

/** A type as a value: what `type(x)` returns and `int` means in an expression. */
export class TypeValue {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

export class Optional {
  static readonly none = new Optional(undefined);
  readonly #value: unknown;

  private constructor(value: unknown) {
    this.#value = value;
  }

  static of(value: unknown): Optional {
    return new Optional(value);
  }

  get present(): boolean {
    return this.#value !== undefined;
  }

  /** Returns the value. Throws if there is none. */
  get(): unknown {
    if (this.#value === undefined) throw new EvaluationError("invalid_argument", "optional.none() dereference");
    return this.#value;
  }
}

type CanonicalKey = string | boolean | number | bigint;

/**
 * A map that an expression constructs. (Maps from JSON stay plain objects.) Numeric keys with equal values are the same key, whatever their
 * type.
 */
export class CelMap {
  readonly #entries = new Map<CanonicalKey, [key: unknown, value: unknown]>();

  static of(entries: Iterable<readonly [unknown, unknown]>): CelMap {
    const map = new CelMap();
    for (const [key, value] of entries) map.set(key, value);
    return map;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** The value of a key, or undefined. */
  get(key: unknown): unknown {
    const canonical = canonicalKey(key);
    return canonical === undefined ? undefined : this.#entries.get(canonical)?.[1];
  }

  has(key: unknown): boolean {
    const canonical = canonicalKey(key);
    return canonical !== undefined && this.#entries.has(canonical);
  }

  /** Adds an entry or replaces the one with the same key. Throws if the key is invalid. Only for the construction of a map. */
  set(key: unknown, value: unknown): void {
    const canonical = canonicalKey(key);
    if (canonical === undefined) throw new EvaluationError("invalid_argument", "unsupported key type");
    this.#entries.set(canonical, [key, value]);
  }

  /** Like `set`, but throws if the key already exists. */
  insert(key: unknown, value: unknown): void {
    if (this.has(key))
      throw new EvaluationError("invalid_argument", `insert failed: key ${String(key)} already exists`);
    this.set(key, value);
  }

  /** Removes the entry of a key, if there is one. For the construction of a map only. */
  delete(key: unknown): void {
    const canonical = canonicalKey(key);
    if (canonical !== undefined) this.#entries.delete(canonical);
  }

  *keys(): Generator<unknown> {
    for (const [key] of this.#entries.values()) yield key;
  }

  entries(): Iterable<[unknown, unknown]> {
    return this.#entries.values();
  }
}

function canonicalKey(key: unknown): CanonicalKey | undefined {
  switch (typeof key) {
    case "string":
    case "boolean":
    case "bigint":
      return key;
    case "number":
      return canonicalNumber(key);
    default:
      if (key instanceof Double) return canonicalNumber(key.value);
      return key instanceof Uint ? canonicalInteger(key.value) : undefined;
  }
}

function canonicalNumber(value: number): CanonicalKey | undefined {
  if (Number.isNaN(value)) return undefined;
  if (Number.isSafeInteger(value)) return value === 0 ? 0 : value;
  return Number.isInteger(value) ? BigInt(value) : value;
}

function canonicalInteger(value: bigint): CanonicalKey {
  const small = Number(value);
  return Number.isSafeInteger(small) ? small : value;
}

export type PlainObject = { readonly [key: string]: unknown };
/** A map: constructed by an expression, or an object from JSON. */
export type AnyMap = CelMap | PlainObject;

/** Returns the value of a key, or undefined. For JSON objects, only own properties count. */
export function mapGet(map: AnyMap, key: unknown): unknown {
  if (map instanceof CelMap) return map.get(key);
  return typeof key === "string" && Object.hasOwn(map, key) ? map[key] : undefined;
}

/** Returns the value of a key. Throws if the map does not contain the key. */
export function mapAt(map: AnyMap, key: unknown): unknown {
  requireKey(map, key);
  const value = mapGet(map, key);
  if (value === undefined) throw noSuchKey(key);
  return value;
}

/** Throws if a key that is not a string is looked up in a JSON object. */
export function requireKey(map: AnyMap, key: unknown): void {
  if (typeof key !== "string" && !(map instanceof CelMap)) throw noSuchOverload();
}

export function mapHas(map: AnyMap, key: unknown): boolean {
  requireKey(map, key);
  return mapGet(map, key) !== undefined;
}

export function mapKeys(map: AnyMap): unknown[] {
  if (map instanceof CelMap) return [...map.keys()];
  return keysOf(map).filter((key) => map[key] !== undefined);
}

export function mapSize(map: AnyMap): number {
  return map instanceof CelMap ? map.size : mapKeys(map).length;
}

/** Whether a run-time value is a map. */
export function isMap(value: unknown): value is AnyMap {
  if (typeof value !== "object" || value === null) return false;
  if (value instanceof CelMap) return true;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
