import type { Clock } from "../lib/clock.ts";
import { type Duration, millisecondsOf } from "./duration.ts";

export interface RateLimits {
  /** Delay of the first retry of a key; doubled with each further one. 5 ms by default. */
  readonly firstRetry?: Duration;
  /** The longest delay of a retry; 1000 s by default. */
  readonly longestRetry?: Duration;
  /** Retries of all keys per second, on average; 10 by default. */
  readonly retriesPerSecond?: number;
  /** Retries of all keys that may follow at once; 100 by default. */
  readonly burst?: number;
}

/**
 * When failed keys are tried again: each after a delay that doubles with its failures, and all together no faster than tokens are added to a
 * bucket. The larger delay counts. Defaults are those of client-go.
 */
export class RateLimiter {
  readonly #clock: Clock;
  readonly #firstMs: number;
  readonly #longestMs: number;
  readonly #perSecond: number;
  readonly #burst: number;
  readonly #failures = new Map<string, number>();
  /** May be negative: tokens that are not there yet and were promised. */
  #tokens: number;
  #filledAt: number;

  constructor(clock: Clock, limits: RateLimits = {}) {
    const { firstRetry = 5, longestRetry = "1000s", retriesPerSecond = 10, burst = 100 } = limits;
    this.#clock = clock;
    this.#firstMs = millisecondsOf(firstRetry);
    this.#longestMs = millisecondsOf(longestRetry);
    this.#perSecond = retriesPerSecond;
    this.#burst = burst;
    this.#tokens = burst;
    this.#filledAt = clock.now();
  }

  /** Milliseconds until the key is due; counts as a failure of it. */
  next(key: string): number {
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    return Math.max(Math.min(this.#firstMs * 2 ** failures, this.#longestMs), this.#take());
  }

  /** The key was a success: its next failure is the first. */
  forget(key: string): void {
    this.#failures.delete(key);
  }

  failuresOf(key: string): number {
    return this.#failures.get(key) ?? 0;
  }

  /** Takes a token. Returns milliseconds until it is there. */
  #take(): number {
    const now = this.#clock.now();
    const added = (Math.max(now - this.#filledAt, 0) / 1000) * this.#perSecond;
    this.#tokens = Math.min(this.#tokens + added, this.#burst) - 1;
    this.#filledAt = now;
    return this.#tokens >= 0 ? 0 : (-this.#tokens / this.#perSecond) * 1000;
  }
}
