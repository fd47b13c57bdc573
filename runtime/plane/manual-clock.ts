import { setImmediate } from "node:timers";
import type { Settling, SettlingPart } from "../contract/settling.ts";
import { parseDuration } from "../go/duration.ts";
import type { Clock } from "../lib/clock.ts";

interface Timer {
  readonly due: number;
  readonly action: () => void;
}

/**
 * A clock that stands still until it is advanced. Timers run in the order of their times. Between two times, it waits until the planes with this
 * clock, and other joined parts, have finished all work that the earlier timers caused.
 */
export class ManualClock implements Clock, Settling {
  #now: number;
  /** In the order in which they were set. */
  readonly #timers = new Set<Timer>();
  readonly #parts = new Set<Pick<SettlingPart, "idle">>();
  #moving: Promise<void> = Promise.resolve();

  constructor(start: number) {
    this.#now = start;
  }

  /** Returns milliseconds since the epoch. */
  readonly now = (): number => this.#now;

  /** Runs an action after this much time; the returned function cancels it. */
  readonly after = (delayMs: number, action: () => void): (() => void) => {
    const timer = { due: this.#now + Math.max(delayMs, 0), action };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  };

  /** Number of timers that have not run yet. */
  get waiting(): number {
    return this.#timers.size;
  }

  /** Makes the clock wait for this part, after each step of time, before more time passes. The returned function ends that. */
  join(part: Pick<SettlingPart, "idle">): () => void {
    this.#parts.add(part);
    return () => void this.#parts.delete(part);
  }

  /**
   * Advances the time by milliseconds, or by a duration such as `15s` or `1h30m`. Resolves when all work caused by it is done. Throws a RangeError
   * for negative times.
   */
  advance(time: number | string): Promise<void> {
    const milliseconds = typeof time === "number" ? time : Number(parseDuration(time)) / 1e6;
    if (!(milliseconds >= 0)) throw new RangeError(`time does not go back: ${time}`);
    this.#moving = this.#moving.then(() => this.#advance(milliseconds));
    return this.#moving;
  }

  async #advance(milliseconds: number): Promise<void> {
    await this.#settle();
    const end = this.#now + milliseconds;
    for (let next = this.#next(end); next !== undefined; next = this.#next(end)) {
      this.#now = Math.max(this.#now, next.due);
      // Timers of the same time run together. Timers that they set for that time must wait until the parts have settled.
      for (const timer of [...this.#timers].filter(({ due }) => due <= this.#now).sort((a, b) => a.due - b.due)) {
        if (this.#timers.delete(timer)) timer.action();
      }
      await this.#settle();
    }
    this.#now = end;
    await this.#settle();
  }

  #next(end: number): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.#timers) if (timer.due <= end && !(first && first.due <= timer.due)) first = timer;
    return first;
  }

  async #settle(): Promise<void> {
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
    await Promise.all([...this.#parts].map((part) => part.idle()));
  }
}

/**
 * Creates a clock that stands still until `advance` moves it. It starts at the current time, or at `start`. Throws a RangeError for an invalid time.
 */
export function manualClock(start: Date | string | number = Date.now()): ManualClock {
  const time = new Date(start).getTime();
  if (Number.isNaN(time)) throw new RangeError(`no time: ${String(start)}`);
  return new ManualClock(time);
}
