import type { Clock } from "../lib/clock.ts";

interface Waiter {
  readonly revision: number;
  readonly resolve: (reached: boolean) => void;
  readonly cancelTimeout: () => void;
}

/** A revision that only increases, and readers that wait until it reaches theirs. */
export class RevisionGate {
  readonly #clock: Clock;
  readonly #refresh: () => void;
  #waiters: Waiter[] = [];
  #current = 0;

  /** `refresh` is called before the revision is read and may advance it: for sources that report progress only on request. */
  constructor(clock: Clock, refresh: () => void = () => undefined) {
    this.#clock = clock;
    this.#refresh = refresh;
  }

  get current(): number {
    this.#refresh();
    return this.#current;
  }

  get hasWaiters(): boolean {
    return this.#waiters.length > 0;
  }

  advance(revision: number): void {
    if (revision <= this.#current) return;
    this.#current = revision;
    if (this.#waiters.length === 0) return;
    const reached = this.#waiters.filter((waiter) => waiter.revision <= revision);
    this.#waiters = this.#waiters.filter((waiter) => waiter.revision > revision);
    for (const waiter of reached) {
      waiter.cancelTimeout();
      waiter.resolve(true);
    }
  }

  /** Resolves with true once the revision is reached, or with false after the timeout. */
  reaches(revision: number, timeoutMs: number): Promise<boolean> {
    if (revision <= this.#current) return Promise.resolve(true);
    return new Promise((resolve) => {
      const cancelTimeout = this.#clock.after(timeoutMs, () => {
        this.#waiters = this.#waiters.filter((other) => other !== waiter);
        resolve(false);
      });
      const waiter: Waiter = { revision, resolve, cancelTimeout };
      this.#waiters.push(waiter);
    });
  }
}
