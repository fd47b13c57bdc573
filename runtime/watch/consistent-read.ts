import type { Clock } from "../lib/clock.ts";
import type { Store } from "../store/store.ts";
import { TooLargeResourceVersionError } from "./errors.ts";
import type { RevisionGate } from "./revision-gate.ts";

const PROGRESS_INTERVAL_MS = 100;

/** Makes a cache catch up with its store: the ground of reads that are most recent or not older than. */
export class ConsistentRead {
  readonly #store: Store;
  readonly #gate: RevisionGate;
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  #asking = false;

  constructor(store: Store, gate: RevisionGate, clock: Clock, timeoutMs: number) {
    this.#store = store;
    this.#gate = gate;
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
  }

  /** Resolves once the cache shows everything acknowledged before the call. */
  async mostRecent(): Promise<void> {
    await this.notOlderThan(await this.#store.currentRevision());
  }

  /** Resolves once the cache has reached a revision; TooLargeResourceVersionError when that takes too long. */
  async notOlderThan(revision: number): Promise<void> {
    if (revision <= this.#gate.current) return;
    const reached = this.#gate.reaches(revision, this.#timeoutMs);
    this.#askForProgress();
    if (!(await reached)) throw new TooLargeResourceVersionError(revision, this.#gate.current);
  }

  /** While anybody waits, asks the store to say how far the watch is: a quiet resource has no events to show it. */
  #askForProgress(): void {
    if (this.#asking) return;
    this.#asking = true;
    const ask = (): void => {
      if (!this.#gate.hasWaiters) {
        this.#asking = false;
        return;
      }
      // A failed request changes nothing: the next one, or the waiters' timeout, follows.
      this.#store.requestProgress().catch(() => undefined);
      this.#clock.after(PROGRESS_INTERVAL_MS, ask);
    };
    ask();
  }
}
