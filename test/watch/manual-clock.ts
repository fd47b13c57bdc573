import type { Clock } from "../../runtime/lib/clock.ts";

/** A clock that only advances when told to. */
export class ManualClock implements Clock {
  #now: number;
  #timers: { due: number; action: () => void }[] = [];

  constructor(start = 1_700_000_000_000) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  /** Number of pending timers. */
  get waiting(): number {
    return this.#timers.length;
  }

  after(delayMs: number, action: () => void): () => void {
    const timer = { due: this.#now + delayMs, action };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** Advances time. Runs due timers in order and lets promises settle in between. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    for (;;) {
      await settle();
      const next = this.#timers.filter((timer) => timer.due <= end).sort((a, b) => a.due - b.due)[0];
      if (next === undefined) break;
      this.#now = Math.max(this.#now, next.due);
      this.#timers = this.#timers.filter((timer) => timer !== next);
      next.action();
    }
    this.#now = end;
    await settle();
  }
}

/** Lets all pending work run. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 3; i++) await new Promise((resolve) => setImmediate(resolve));
}
