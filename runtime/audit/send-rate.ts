import { type Clock, steadyClock } from "../lib/clock.ts";

/** A rate limiter with a burst. */
export class SendRate {
  readonly #clock: Clock;
  readonly #gapMs: number;
  readonly #burst: number;
  /** The time until which the rate is used up by earlier calls. */
  #spentUntil = Number.NEGATIVE_INFINITY;

  constructor({ perSecond, burst }: { readonly perSecond: number; readonly burst: number }, clock: Clock) {
    this.#clock = steadyClock(clock);
    this.#gapMs = 1000 / perSecond;
    this.#burst = burst;
  }

  /** Resolves when the caller may send; undefined if that is at once. Callers are served in order. */
  turn(): Promise<void> | undefined {
    const now = this.#clock.now();
    this.#spentUntil = Math.max(this.#spentUntil, now - this.#burst * this.#gapMs) + this.#gapMs;
    const wait = this.#spentUntil - now;
    return wait > 0 ? new Promise<void>((resolve) => void this.#clock.after(wait, resolve)) : undefined;
  }
}
