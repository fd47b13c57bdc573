import { numeric } from "./compare.ts";
import { isMap, mapGet, mapKeys } from "./containers.ts";
import { Duration, Timestamp } from "./time.ts";

export type Equality = (a: unknown, b: unknown) => boolean;

/** A set of values by CEL equality, with constant-time lookups. */
export class ValueSet {
  readonly #byHash = new Map<string, unknown[]>();
  readonly #equal: Equality;
  readonly #read: (value: unknown) => unknown;

  /** `read` converts an element to the value that `equal` compares. */
  constructor(values: readonly unknown[], equal: Equality, read: (value: unknown) => unknown) {
    this.#equal = equal;
    this.#read = read;
    for (const value of values) this.add(value);
  }

  /** Adds a value. Returns whether it is new. */
  add(value: unknown): boolean {
    const hash = hashOf(this.#read(value));
    const known = this.#byHash.get(hash);
    if (known?.some((other) => this.#equal(other, value))) return false;
    if (known === undefined) this.#byHash.set(hash, [value]);
    else known.push(value);
    return true;
  }

  has(value: unknown): boolean {
    return this.#byHash.get(hashOf(this.#read(value)))?.some((other) => this.#equal(other, value)) ?? false;
  }
}

/** Returns a hash: equal values have equal strings. Different values rarely collide, except opaque ones. */
function hashOf(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  const number = numeric(value);
  if (number !== undefined) return String(Number(number));
  if (Array.isArray(value)) return `[${value.map(hashOf).join(",")}]`;
  if (value instanceof Timestamp || value instanceof Duration) return `${value.constructor.name} ${value.nanos}`;
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  if (!isMap(value)) return typeof value;
  const entries = mapKeys(value).map((key) => `${hashOf(key)}:${hashOf(mapGet(value, key))}`);
  return `{${entries.sort().join(",")}}`;
}
