import type { Clock } from "../../runtime/lib/clock.ts";

/** A clock that is moved by hand. */
export class HandClock implements Clock {
  #now = Date.parse("2030-01-01T00:00:00Z");
  #timers: { readonly at: number; readonly action: () => void }[] = [];

  readonly #onTurn: () => void;

  /** `onTurn` is called after each timer and what it led to. */
  constructor(onTurn: () => void = () => undefined) {
    this.#onTurn = onTurn;
  }

  now = (): number => this.#now;

  after = (delayMs: number, action: () => void): (() => void) => {
    const timer = { at: this.#now + delayMs, action };
    this.#timers.push(timer);
    return () => void (this.#timers = this.#timers.filter((one) => one !== timer));
  };

  /** Runs what falls due, in turns of the event loop, so that what it leads to is due as well. */
  async move(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    for (;;) {
      for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
      this.#onTurn();
      const next = this.#timers.toSorted((a, b) => a.at - b.at)[0];
      if (next === undefined || next.at > end) break;
      this.#timers = this.#timers.filter((one) => one !== next);
      this.#now = Math.max(this.#now, next.at);
      next.action();
    }
    this.#now = end;
  }
}
