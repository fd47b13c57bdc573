export interface WorkQueueOptions {
  /** Resolves after so many milliseconds, or at once when the signal fires. */
  readonly delay: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Called with each failure; the key is retried. */
  readonly onProblem?: (key: string, problem: unknown) => void;
  readonly concurrency?: number;
}

const FIRST_RETRY = 50;
const LAST_RETRY = 30_000;

/**
 * Processes keys, each at most once at a time: a key added while it waits is not added twice, one added while it is processed is
 * processed again. A key that fails, or whose work returns a number of milliseconds, is processed again later.
 */
export class WorkQueue {
  readonly #work: (key: string) => Promise<number | undefined>;
  readonly #options: WorkQueueOptions;
  readonly #waiting = new Set<string>();
  readonly #active = new Set<string>();
  readonly #again = new Set<string>();
  readonly #failures = new Map<string, number>();
  /** Delayed keys, each with its last delay. */
  readonly #delayed = new Map<string, symbol>();
  readonly #stop = new AbortController();
  #idle: (() => void)[] = [];

  constructor(work: (key: string) => Promise<number | undefined>, options: WorkQueueOptions) {
    this.#work = work;
    this.#options = options;
  }

  add(key: string): void {
    if (this.#stop.signal.aborted) return;
    if (this.#active.has(key)) this.#again.add(key);
    else this.#waiting.add(key);
    this.#pump();
  }

  /** Stops the queue: no more work begins; resolves when running work is done. */
  async stop(): Promise<void> {
    this.#stop.abort();
    this.#waiting.clear();
    this.#again.clear();
    if (this.#active.size > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  /** Resolves when only delayed keys are left. */
  async settled(): Promise<void> {
    if (this.#active.size > 0 || this.#waiting.size > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  #pump(): void {
    while (this.#active.size < (this.#options.concurrency ?? 4)) {
      const [key] = this.#waiting;
      if (key === undefined) break;
      this.#waiting.delete(key);
      this.#active.add(key);
      void this.#run(key);
    }
    if (this.#active.size > 0 || this.#waiting.size > 0) return;
    const waiters = this.#idle;
    this.#idle = [];
    for (const resolve of waiters) resolve();
  }

  async #run(key: string): Promise<void> {
    let later: number | undefined;
    try {
      // Begin on a turn of its own, so that a burst of changes is seen as one.
      await Promise.resolve();
      later = await this.#work(key);
      this.#failures.delete(key);
    } catch (problem) {
      this.#options.onProblem?.(key, problem);
      const failures = this.#failures.get(key) ?? 0;
      this.#failures.set(key, failures + 1);
      later = Math.min(FIRST_RETRY * 2 ** failures, LAST_RETRY);
    }
    this.#active.delete(key);
    if (this.#again.delete(key) && !this.#stop.signal.aborted) this.#waiting.add(key);
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
