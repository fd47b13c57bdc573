import type { Clock } from "../lib/clock.ts";
import { Fifo } from "../lib/fifo.ts";
import type { QueueMetrics } from "./metrics.ts";
import type { RateLimiter } from "./rate-limiter.ts";

export interface WorkQueueOptions {
  /** Processes one key. Never called for a key that is already being processed. Must not reject. */
  readonly work: (key: string) => Promise<void>;
  /** Maximum number of keys that are processed at the same time. */
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
 * A queue of keys to process. A key that is added again while it waits is processed once. A key that is added while it is being processed is
 * processed again afterwards. Starts with `resume()`. While it is paused, keys wait.
 */
export class WorkQueue {
  readonly #options: WorkQueueOptions;
  /** Waiting keys with the time at which they were added. */
  readonly #waiting = new Map<string, number>();
  /** The same keys in processing order. */
  readonly #turns = new Fifo<string>();
  readonly #active = new Map<string, number>();
  /** Keys that were added while they were being processed. */
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

  /** Adds a key after a delay. If it is already delayed, the earlier time applies. */
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

  /** Adds a failed key after the delay of the rate limiter. Returns that delay in milliseconds. */
  retry(key: string): number {
    const { limiter, metrics } = this.#options;
    const milliseconds = limiter.next(key);
    metrics.retried();
    this.addAfter(key, milliseconds);
    return milliseconds;
  }

  /** To be called when a key succeeded: resets its rate limit. */
  forget(key: string): void {
    this.#options.limiter.forget(key);
  }

  resume(): void {
    if (this.#isStopped) return;
    this.#isPaused = false;
    this.#next();
  }

  /** Starts no more work until `resume()`. */
  pause(): void {
    this.#isPaused = true;
    this.#tell();
  }

  /** Starts no more work and discards waiting keys. */
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

  /** Number of keys being processed. */
  get running(): number {
    return this.#active.size;
  }

  /** Whether no key is being processed or waiting. Delayed keys do not count, nor do waiting keys of a paused queue. */
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
    // The key is processed now: its delayed addition is obsolete.
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
