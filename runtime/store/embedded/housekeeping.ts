import type { Clock } from "../../lib/clock.ts";
import type { CommitQueue } from "./commit-queue.ts";
import type { Engine, Expiry } from "./engine.ts";

/** Records scanned, or keys expired, in one step. Keeps each step well under a millisecond of work. */
const STEP = 250;
/** A step ends earlier after this time, if records must be read from disk. */
const STEP_MS = 8;
const INTERVAL_MS = 1000;

export interface HousekeepingOptions {
  /** How long superseded values stay readable and watchable. */
  readonly historyMs: number;
  /** Removes a key that is still at the given revision. */
  readonly expire: (expiry: Expiry) => Promise<void>;
  /** History after the revision of the follower is kept. */
  readonly follower?: { readonly revision: number } | undefined;
}

/** Removes expired history and expired keys in small steps, in the background. */
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

  /** Removes everything that is due now. Each step waits for its commit, so other work can run in between. */
  async run(): Promise<void> {
    const now = this.#clock.now();
    const { historyMs } = this.#options;
    // Records far in the future were written with a wrong clock that was set back since. They would block the removal of all later records.
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
   * Scans the oldest records as long as `isOld` returns true. Drops the records that they superseded, and deletions themselves. Returns
   * whether the step reached its limit, so that more records may follow.
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
      // A full or failing disk must not stop housekeeping permanently: the next interval tries again.
      void this.run()
        .catch(() => undefined)
        .then(() => {
          if (!this.#stopped) this.#schedule();
        });
    });
  }
}
