import { type Clock, steadyClock } from "../lib/clock.ts";

/** A rate limiter with a burst. */
export class SendRate {
  readonly #clock: Clock;
  readonly #gapMs: number;
  readonly #burst: number;
  /** Time until which earlier calls have used up the rate. */
  #spentUntil = Number.NEGATIVE_INFINITY;

  constructor({ perSecond, burst }: { readonly perSecond: number; readonly burst: number }, clock: Clock) {
    this.#clock = steadyClock(clock);
    this.#gapMs = 1000 / perSecond;
    this.#burst = burst;
  }

  /** Resolves when the caller may send; undefined if it may send immediately. Callers are served in order. */
  turn(): Promise<void> | undefined {
    const now = this.#clock.now();
    this.#spentUntil = Math.max(this.#spentUntil, now - this.#burst * this.#gapMs) + this.#gapMs;
    const wait = this.#spentUntil - now;
    return wait > 0 ? new Promise<void>((resolve) => void this.#clock.after(wait, resolve)) : undefined;
  }
}
