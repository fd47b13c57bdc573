import type { Clock } from "../../lib/clock.ts";
import type { CommitQueue } from "./commit-queue.ts";
import type { Engine, Expiry } from "./engine.ts";

/** Records looked at, or keys expired, in one step; keeps each step well under a millisecond of work. */
const STEP = 250;
/** Where records are read from a disk, a step ends sooner. */
const STEP_MS = 8;
const INTERVAL_MS = 1000;

export interface HousekeepingOptions {
  /** How long superseded values stay readable and watchable. */
  readonly historyMs: number;
  /** Removes a key that is still at the given revision. */
  readonly expire: (expiry: Expiry) => Promise<void>;
  /** History after its revision is kept. */
  readonly follower?: { readonly revision: number } | undefined;
}

/** Forgets history that is too old and removes keys whose time has come, a little at a time, in the background. */
export class Housekeeping {
  readonly #engine: Engine;
  readonly #queue: CommitQueue;
  readonly #clock: Clock;
  readonly #options: HousekeepingOptions;
  #cancel: (() => void) | undefined;
  #stopped = false;

  constructor(engine: Engine, queue: CommitQueue, clock: Clock, options: HousekeepingOptions) {
    this.#engine = engine;
    this.#queue = queue;
    this.#clock = clock;
    this.#options = options;
    this.#schedule();
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel?.();
  }

  /** Everything that is due now. Each step waits for its commit, which leaves room for other work in between. */
  async run(): Promise<void> {
    const now = this.#clock.now();
    const { historyMs } = this.#options;
    // The time of records far in the future was wrong, and that of the system was set back since. They would keep all later ones.
    const isOld = ({ time }: { time: number }): boolean => time < now - historyMs || time > now + historyMs;
    while ((await this.#compactStep(isOld)) && !this.#stopped);
    while ((await this.#expireStep(now)) && !this.#stopped);
  }

  /** Compacts up to and including a revision, step by step. */
  async compactTo(revision: number): Promise<void> {
    while (await this.#compactStep((record) => record.revision <= revision));
    if (this.#engine.compactedRevision() < revision) await this.#drop([], revision);
  }

  /**
   * Goes over the oldest records that `isOld` says may go: what each superseded is dropped, deletions themselves too.
   * Says whether a whole step was needed, so that more may follow.
   */
  async #compactStep(isOld: (record: { revision: number; time: number }) => boolean): Promise<boolean> {
    const dropped: number[] = [];
    let compacted = this.#engine.compactedRevision();
    let looked = 0;
    let isWhole = false;
    const end = performance.now() + STEP_MS;
    const last = this.#options.follower?.revision ?? Number.POSITIVE_INFINITY;
    for (const record of this.#engine.recordAges(compacted + 1)) {
      if (!isOld(record) || record.revision > last) break;
      isWhole = looked === STEP || (looked > 0 && performance.now() >= end);
      if (isWhole) break;
      looked++;
      compacted = record.revision;
      if (record.previousRevision > 0) dropped.push(record.previousRevision);
      if (record.type === "delete") dropped.push(record.revision);
    }
    if (looked > 0) await this.#drop(dropped, compacted);
    return isWhole;
  }

  async #drop(droppedRecords: readonly number[], compactedRevision: number): Promise<void> {
    await this.#queue.tidy({ droppedRecords, droppedExpiries: [], compactedRevision });
  }

  async #expireStep(now: number): Promise<boolean> {
    const due: Expiry[] = [];
    for (const expiry of this.#engine.expiries(now)) {
      if (due.push(expiry) === STEP) break;
    }
    if (due.length === 0) return false;
    await Promise.all(due.map((expiry) => this.#options.expire(expiry)));
    await this.#queue.tidy({ droppedRecords: [], droppedExpiries: due });
    return due.length === STEP;
  }

  #schedule(): void {
    this.#cancel = this.#clock.after(INTERVAL_MS, () => {
      // A full disk or a failing one must not stop housekeeping for good: the next interval tries again.
      void this.run()
        .catch(() => undefined)
        .then(() => {
          if (!this.#stopped) this.#schedule();
        });
    });
  }
}
