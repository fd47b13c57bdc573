/** A number cannot be allocated: it is in use, the range is full, or the number is outside the range. */
export class PoolError extends Error {
  readonly code = "pool";
}

/** The items of a pool, by index. */
export interface PoolItems<T> {
  readonly size: bigint;
  /** Items with a lower index are allocated last. */
  readonly band: bigint;
  at(index: bigint): T;
}

/**
 * A pool of unique items of a range (addresses, ports). An item is in use while objects use it. An item that is allocated but not stored yet is held
 * until it is committed or released.
 */
export class NumberPool<T> {
  readonly #items: PoolItems<T>;
  readonly #random: () => number;
  /** Users of each item: several objects may use one while data is inconsistent. */
  readonly #used = new Map<T, Set<string>>();
  readonly #held = new Set<T>();

  constructor(items: PoolItems<T>, random: () => number) {
    this.#items = items;
    this.#random = random;
  }

  /** Items that objects use. */
  get used(): Iterable<T> {
    return this.#used.keys();
  }

  /** Number of items that objects use, and number of the others. */
  get counts(): { readonly allocated: number; readonly available: number } {
    return { allocated: this.#used.size, available: Number(this.#items.size) - this.#used.size };
  }

  isTaken(item: T): boolean {
    return this.#held.has(item) || this.#used.has(item);
  }

  hold(item: T): void {
    this.#held.add(item);
  }

  letGo(item: T): void {
    this.#held.delete(item);
  }

  use(item: T, user: string): void {
    const users = this.#used.get(item) ?? new Set();
    this.#used.set(item, users.add(user));
  }

  free(item: T, user: string): void {
    const users = this.#used.get(item);
    users?.delete(user);
    if (users?.size === 0) this.#used.delete(item);
  }

  /**
   * Returns a free item: searches above the band from a random index, with wrap-around, then within the band. Throws a PoolError if there is none.
   */
  next(): T {
    return this.find(this.#items) ?? fail("range is full");
  }

  /** Returns a free item of `items`; undefined if there is none. */
  find(items: PoolItems<T>): T | undefined {
    const { size, band } = items;
    return this.#search(items, band, size) ?? this.#search(items, 0n, band);
  }

  #search(items: PoolItems<T>, from: bigint, to: bigint): T | undefined {
    const span = to - from;
    if (span <= 0n) return undefined;
    const start = BigInt(Math.floor(this.#random() * Number(span)));
    // If n items are taken, at least one of n + 1 items is free.
    const enough = BigInt(this.#used.size + this.#held.size + 1);
    for (let step = 0n; step < span && step < enough; step++) {
      const item = items.at(from + ((start + step) % span));
      if (!this.isTaken(item)) return item;
    }
    return undefined;
  }
}

function fail(message: string): never {
  throw new PoolError(message);
}
