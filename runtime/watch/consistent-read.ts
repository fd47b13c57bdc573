import type { Clock } from "../lib/clock.ts";
import { TooLargeResourceVersionError } from "./errors.ts";
import type { RevisionGate } from "./revision-gate.ts";

/** Reads that arrive within this time share a request for progress. */
const SHARE_MS = 5;
/** A busy store may not respond to a request for progress: it is repeated after this time. */
const REPEAT_MS = 100;

/** The store and watch that fill a cache. */
export interface ProgressSource {
  currentRevision(): Promise<number>;
  /** Requests the progress of the cache's watch. The response arrives with its events, or not at all. */
  requestProgress(): void;
}

/** Makes a read wait until the cache has caught up with its store, or has reached a revision. */
export class ConsistentRead {
  readonly #source: ProgressSource;
  readonly #gate: RevisionGate;
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  #askedAt = 0;
  #planned: { readonly at: number; readonly cancel: () => void } | undefined;

  constructor(source: ProgressSource, gate: RevisionGate, clock: Clock, timeoutMs: number) {
    this.#source = source;
    this.#gate = gate;
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
  }

  /** Resolves once the cache shows all changes that were acknowledged before the call. */
  async mostRecent(): Promise<void> {
    await this.notOlderThan(await this.#source.currentRevision());
  }

  /**
   * Resolves once the cache has reached a revision. Throws TooLargeResourceVersionError, with the revision as the client sent it, if that
   * takes too long.
   */
  async notOlderThan(revision: number, asked: string = String(revision)): Promise<void> {
    if (revision <= this.#gate.current) return;
    const reached = this.#gate.reaches(revision, this.#timeoutMs);
    this.#askBy(this.#askedAt + SHARE_MS);
    if (!(await reached)) throw new TooLargeResourceVersionError(asked, this.#gate.current);
  }

  /** Schedules a request for progress: without changes of the resource, no event shows its revision. */
  #askBy(time: number): void {
    const now = this.#clock.now();
    const at = Math.max(now, time);
    if (this.#planned !== undefined && this.#planned.at <= at) return;
    this.#planned?.cancel();
    this.#planned = undefined;
    if (at === now) this.#ask();
    else this.#planned = { at, cancel: this.#clock.after(at - now, () => this.#ask()) };
  }

  #ask(): void {
    this.#planned = undefined;
    if (!this.#gate.hasWaiters) return;
    this.#askedAt = this.#clock.now();
    this.#source.requestProgress();
    this.#askBy(this.#askedAt + REPEAT_MS);
  }
}
