export interface WorkQueueOptions {
  /** Resolves after so many milliseconds, or at once when the signal fires. */
  readonly delay: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Told of failures; the work is tried again. */
  readonly onProblem?: (key: string, problem: unknown) => void;
  readonly concurrency?: number;
}

const FIRST_RETRY = 50;
const LAST_RETRY = 30_000;

/**
 * Works on keys, each at most once at a time: a key added while it waits is not added twice, one added while it is worked on is
 * worked on again. What fails, or asks for it by returning a number of milliseconds, is tried again later.
 */
export class WorkQueue {
  readonly #work: (key: string) => Promise<number | undefined>;
  readonly #options: WorkQueueOptions;
  readonly #waiting = new Set<string>();
  readonly #active = new Set<string>();
  readonly #again = new Set<string>();
  readonly #failures = new Map<string, number>();
  /** What was put off, each by the last who did so. */
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

  /** Ends the queue: nothing new is begun; resolves when what was begun is done. */
  async stop(): Promise<void> {
    this.#stop.abort();
    this.#waiting.clear();
    this.#again.clear();
    if (this.#active.size > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  /** Resolves when there is nothing to do but what was put off. */
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
