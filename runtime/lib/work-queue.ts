import { Fifo } from "./fifo.ts";
import { restAfterOthers } from "./in-turns.ts";

export interface WorkQueueOptions {
  /** Resolves after the delay, or immediately when the signal is aborted. */
  readonly delay: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Called with each failure. The key is retried. */
  readonly onProblem?: (key: string, problem: unknown) => void;
  readonly concurrency?: number;
  readonly observer?: QueueObserver | undefined;
}

/** Counts what a queue does. */
export interface QueueObserver {
  /** Called once with the state of the queue, for gauges. Times are those of `performance.now()`. */
  watch(queue: { depth(): number; startTimes(): readonly number[] }): void;
  added(): void;
  retried(): void;
  began(waitedMs: number): void;
  ended(workedMs: number): void;
}

const FIRST_RETRY = 50;
const LAST_RETRY = 30_000;

/**
 * Processes keys, each at most once at a time. Adding a key that is waiting has no effect; a key that is added while it is processed is processed
 * again. A key whose processing fails, or returns a number of milliseconds, is processed again later.
 */
export class WorkQueue {
  readonly #work: (key: string) => Promise<number | undefined>;
  readonly #options: WorkQueueOptions;
  /** Waiting keys, with the time at which they were added. */
  readonly #waiting = new Map<string, number>();
  /** The same keys in processing order. */
  readonly #turns = new Fifo<string>();
  /** Keys that are being processed, with their start time. */
  readonly #active = new Map<string, number>();
  readonly #again = new Set<string>();
  readonly #failures = new Map<string, number>();
  /** Delayed keys, each with an identifier of its last delay. */
  readonly #delayed = new Map<string, symbol>();
  readonly #stop = new AbortController();
  #idle: (() => void)[] = [];

  constructor(work: (key: string) => Promise<number | undefined>, options: WorkQueueOptions) {
    this.#work = work;
    this.#options = options;
    options.observer?.watch({ depth: () => this.#waiting.size, startTimes: () => [...this.#active.values()] });
  }

  add(key: string): void {
    if (this.#stop.signal.aborted) return;
    if (this.#waiting.has(key) || this.#again.has(key)) return;
    this.#options.observer?.added();
    if (this.#active.has(key)) this.#again.add(key);
    else this.#wait(key);
    this.#pump();
  }

  /** Stops the queue. No further processing begins; resolves when running processing has ended. */
  async stop(): Promise<void> {
    this.#stop.abort();
    this.#waiting.clear();
    this.#turns.clear();
    this.#again.clear();
    if (this.#active.size > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  /** Resolves when only delayed keys are left. */
  async settled(): Promise<void> {
    if (this.#active.size > 0 || this.#waiting.size > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  #wait(key: string): void {
    this.#waiting.set(key, performance.now());
    this.#turns.push(key);
  }

  #pump(): void {
    while (this.#active.size < (this.#options.concurrency ?? 4)) {
      const key = this.#turns.shift();
      if (key === undefined) break;
      const now = performance.now();
      const added = this.#waiting.get(key) ?? now;
      this.#waiting.delete(key);
      this.#active.set(key, now);
      this.#options.observer?.began(now - added);
      void this.#run(key, now);
    }
    if (this.#active.size > 0 || this.#waiting.size > 0) return;
    const waiters = this.#idle;
    this.#idle = [];
    for (const resolve of waiters) resolve();
  }

  async #run(key: string, began: number): Promise<void> {
    let later: number | undefined;
    try {
      // Delayed, so that a burst of changes is processed as one: in another turn of the event loop if preceding keys took long.
      await restAfterOthers();
      later = await this.#work(key);
      this.#failures.delete(key);
    } catch (problem) {
      this.#options.onProblem?.(key, problem);
      const failures = this.#failures.get(key) ?? 0;
      this.#failures.set(key, failures + 1);
      later = Math.min(FIRST_RETRY * 2 ** failures, LAST_RETRY);
      this.#options.observer?.retried();
    }
    this.#active.delete(key);
    this.#options.observer?.ended(performance.now() - began);
    if (this.#again.delete(key) && !this.#stop.signal.aborted) this.#wait(key);
    else if (later !== undefined) this.#addLater(key, later);
    this.#pump();
  }

  #addLater(key: string, milliseconds: number): void {
    if (this.#stop.signal.aborted) return;
    const turn = Symbol(key);
    this.#delayed.set(key, turn);
    void this.#options.delay(milliseconds, this.#stop.signal).then(() => {
      if (this.#delayed.get(key) !== turn) return;
      this.#delayed.delete(key);
      this.add(key);
    });
  }
}
