import type { Clock } from "../lib/clock.ts";
import { Fifo } from "../lib/fifo.ts";
import type { QueueMetrics } from "./metrics.ts";
import type { RateLimiter } from "./rate-limiter.ts";

export interface WorkQueueOptions {
  /** Called with one key at a time, and never with one that it is working on. Must not reject. */
  readonly work: (key: string) => Promise<void>;
  /** Keys that are worked on at the same time. */
  readonly concurrency: number;
  readonly clock: Clock;
  readonly limiter: RateLimiter;
  readonly metrics: QueueMetrics;
}

interface Delayed {
  readonly at: number;
  readonly cancel: () => void;
}

/**
 * Keys to work on. A key that is added twice before its turn has one turn; one that is added while it is worked on has another afterwards.
 * Begins with `resume()`, and can be paused: keys wait then.
 */
export class WorkQueue {
  readonly #options: WorkQueueOptions;
  /** With the time at which they were added. */
  readonly #waiting = new Map<string, number>();
  /** The same keys in the order of their turns. */
  readonly #turns = new Fifo<string>();
  readonly #active = new Map<string, number>();
  /** Added while they were worked on. */
  readonly #again = new Set<string>();
  readonly #delayed = new Map<string, Delayed>();
  #listeners: (() => void)[] = [];
  #isPaused = true;
  #isStopped = false;

  constructor(options: WorkQueueOptions) {
    this.#options = options;
    options.metrics.observe({
      depth: () => this.#waiting.size,
      startTimes: () => [...this.#active.values()],
    });
  }

  add(key: string): void {
    if (this.#isStopped || this.#waiting.has(key)) return;
    const { metrics } = this.#options;
    if (this.#active.has(key)) {
      if (!this.#again.has(key)) metrics.added();
      this.#again.add(key);
      return;
    }
    metrics.added();
    this.#wait(key);
    this.#next();
  }

  /** Adds a key after a delay; after the shorter one if it is delayed already. */
  addAfter(key: string, milliseconds: number): void {
    if (this.#isStopped) return;
    if (milliseconds <= 0) return this.add(key);
    const { clock } = this.#options;
    const at = clock.now() + milliseconds;
    const known = this.#delayed.get(key);
    if (known !== undefined && known.at <= at) return;
    known?.cancel();
    const cancel = clock.after(milliseconds, () => {
      this.#delayed.delete(key);
      this.add(key);
    });
    this.#delayed.set(key, { at, cancel });
  }

  /** Adds a key that failed, after the delay of the rate limits. Returns that delay. */
  retry(key: string): number {
    const { limiter, metrics } = this.#options;
    const milliseconds = limiter.next(key);
    metrics.retried();
    this.addAfter(key, milliseconds);
    return milliseconds;
  }

  /** The key was a success: its rate limits begin anew. */
  forget(key: string): void {
    this.#options.limiter.forget(key);
  }

  resume(): void {
    if (this.#isStopped) return;
    this.#isPaused = false;
    this.#next();
  }

  /** No more work begins until `resume()`. */
  pause(): void {
    this.#isPaused = true;
    this.#tell();
  }

  /** No more work begins, and what waits is forgotten. */
  stop(): void {
    this.#isStopped = true;
    this.#isPaused = true;
    this.#waiting.clear();
    this.#turns.clear();
    this.#again.clear();
    for (const { cancel } of this.#delayed.values()) cancel();
    this.#delayed.clear();
    this.#tell();
  }

  /** Keys that are worked on. */
  get running(): number {
    return this.#active.size;
  }

  /** Whether nothing runs, and nothing waits but for its delay or, in a paused queue, for `resume()`. */
  get isIdle(): boolean {
    return this.#active.size === 0 && (this.#isPaused || this.#waiting.size === 0);
  }

  async idle(): Promise<void> {
    while (!this.isIdle) await new Promise<void>((resolve) => this.#listeners.push(resolve));
  }

  #next(): void {
    const { concurrency } = this.#options;
    while (!this.#isPaused && this.#active.size < concurrency) {
      const key = this.#turns.shift();
      if (key === undefined) break;
      this.#begin(key);
    }
    this.#tell();
  }

  #wait(key: string): void {
    this.#waiting.set(key, this.#options.clock.now());
    this.#turns.push(key);
  }

  #begin(key: string): void {
    const { work, clock, metrics } = this.#options;
    const startedAt = clock.now();
    const addedAt = this.#waiting.get(key) ?? startedAt;
    this.#waiting.delete(key);
    // Its delay was for a turn, which it has now.
    this.#delayed.get(key)?.cancel();
    this.#delayed.delete(key);
    this.#active.set(key, startedAt);
    metrics.began((startedAt - addedAt) / 1000);
    void work(key).finally(() => {
      this.#active.delete(key);
      metrics.ended((clock.now() - startedAt) / 1000);
      if (this.#again.delete(key) && !this.#isStopped) this.#wait(key);
      this.#next();
    });
  }

  #tell(): void {
    if (!this.isIdle || this.#listeners.length === 0) return;
    const listeners = this.#listeners;
    this.#listeners = [];
    for (const resolve of listeners) resolve();
  }
}
