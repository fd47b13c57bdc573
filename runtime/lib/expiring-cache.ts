import type { Clock } from "./clock.ts";

/** A cache with a lifetime for each value and a maximum size: the least recently used values are evicted first. */
export class ExpiringCache<T> {
  readonly #capacity: number;
  readonly #clock: Pick<Clock, "now">;
  readonly #entries = new Map<string, { readonly value: T; readonly since: number; readonly until: number }>();

  constructor(capacity: number, clock: Pick<Clock, "now">) {
    this.#capacity = capacity;
    this.#clock = clock;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): T | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    const now = this.#clock.now();
    // If `since` is in the future, the system time was set back, and the age of the value is unknown.
    if (entry.until <= now || entry.since > now) return undefined;
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: string, value: T, lifeMs: number): void {
    if (lifeMs <= 0) return;
    this.#entries.delete(key);
    const since = this.#clock.now();
    this.#entries.set(key, { value, since, until: since + lifeMs });
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.#capacity && oldest !== undefined) this.#entries.delete(oldest);
  }
}
