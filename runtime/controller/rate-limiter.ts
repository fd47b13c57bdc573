import type { Clock } from "../lib/clock.ts";
import { type Duration, millisecondsOf } from "./duration.ts";

export interface RateLimits {
  /** Delay of the first retry of a key. It doubles with each further retry; 5 ms by default. */
  readonly firstRetry?: Duration;
  /** Maximum delay of a retry; 1000 s by default. */
  readonly longestRetry?: Duration;
  /** Average number of retries of all keys per second; 10 by default. */
  readonly retriesPerSecond?: number;
  /** Maximum number of retries of all keys in a burst; 100 by default. */
  readonly burst?: number;
}

/**
 * Computes when failed keys are retried: the larger of a delay per key that doubles with each failure, and the delay of a token bucket for all keys.
 * The defaults are those of client-go.
 */
export class RateLimiter {
  readonly #clock: Clock;
  readonly #firstMs: number;
  readonly #longestMs: number;
  readonly #perSecond: number;
  readonly #burst: number;
  readonly #failures = new Map<string, number>();
  /** Negative if future tokens are already reserved. */
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

  /** Records a failure of the key. Returns the delay of its retry in milliseconds. */
  next(key: string): number {
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    return Math.max(Math.min(this.#firstMs * 2 ** failures, this.#longestMs), this.#take());
  }

  /** To be called after a success: the next failure of the key counts as its first. */
  forget(key: string): void {
    this.#failures.delete(key);
  }

  failuresOf(key: string): number {
    return this.#failures.get(key) ?? 0;
  }

  /** Takes a token. Returns the milliseconds until it is available. */
  #take(): number {
    const now = this.#clock.now();
    const added = (Math.max(now - this.#filledAt, 0) / 1000) * this.#perSecond;
    this.#tokens = Math.min(this.#tokens + added, this.#burst) - 1;
    this.#filledAt = now;
    return this.#tokens >= 0 ? 0 : (-this.#tokens / this.#perSecond) * 1000;
  }
}
