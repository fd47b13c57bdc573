import type { Clock } from "../lib/clock.ts";

/** So many turns a second, some of them at once after a pause. */
export class SendRate {
  readonly #clock: Clock;
  readonly #gapMs: number;
  readonly #burst: number;
  /** When the turns that were given are used up. */
  #spentUntil = Number.NEGATIVE_INFINITY;

  constructor({ perSecond, burst }: { readonly perSecond: number; readonly burst: number }, clock: Clock) {
    this.#clock = clock;
    this.#gapMs = 1000 / perSecond;
    this.#burst = burst;
  }

  /** Resolves when it is the caller's turn; undefined if it is at once. Turns are given in order. */
  turn(): Promise<void> | undefined {
    const now = this.#clock.now();
    this.#spentUntil = Math.max(this.#spentUntil, now - this.#burst * this.#gapMs) + this.#gapMs;
    const wait = this.#spentUntil - now;
    return wait > 0 ? new Promise<void>((resolve) => void this.#clock.after(wait, resolve)) : undefined;
  }
}
