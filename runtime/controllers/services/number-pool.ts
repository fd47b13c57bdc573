/** A number that cannot be allocated: it is taken, none is free, or it is outside the range. */
export class PoolError extends Error {
  readonly code = "pool";
}

/** What a pool gives out, by position. */
export interface PoolItems<T> {
  readonly size: bigint;
  /** Positions below this are given out last. */
  readonly band: bigint;
  at(index: bigint): T;
}

/**
 * Unique items of a range (addresses, ports). The objects that use an item mark it as in use; an item that is allocated
 * and not stored yet is held until it is committed or released.
 */
export class NumberPool<T> {
  readonly #items: PoolItems<T>;
  readonly #random: () => number;
  /** Users of each item: several objects may claim one while data is inconsistent. */
  readonly #used = new Map<T, Set<string>>();
  readonly #held = new Set<T>();

  constructor(items: PoolItems<T>, random: () => number) {
    this.#items = items;
    this.#random = random;
  }

  /** What objects use. */
  get used(): Iterable<T> {
    return this.#used.keys();
  }

  /** How many objects use, and how many are left. */
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

  /** A free one: from a random place above the band on, then around, then within the band. */
  next(): T {
    return this.find(this.#items) ?? fail("range is full");
  }

  /** A free one among these, if there is any. */
  find(items: PoolItems<T>): T | undefined {
    const { size, band } = items;
    return this.#search(items, band, size) ?? this.#search(items, 0n, band);
  }

  #search(items: PoolItems<T>, from: bigint, to: bigint): T | undefined {
    const span = to - from;
    if (span <= 0n) return undefined;
    const start = BigInt(Math.floor(this.#random() * Number(span)));
    // Of n + 1 items at least one is free if n are taken, if the span has that many.
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
