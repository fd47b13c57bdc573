import type { StoreError } from "../errors.ts";
import type { Changes, Engine, Expiry, LogRecord } from "./engine.ts";

/** A write whose conditions were checked and whose revision is not yet given. */
export interface Write {
  readonly type: "put" | "delete";
  readonly key: string;
  readonly value: Uint8Array;
  readonly createRevision: number | "self";
  readonly previousRevision: number;
  readonly time: number;
  /** For a put that removes itself: when. */
  readonly expiresAt?: number;
}

/** Housekeeping that rides along with the next commit. */
export interface Upkeep {
  readonly droppedRecords: readonly number[];
  readonly droppedExpiries: readonly Expiry[];
  readonly compactedRevision?: number;
}

type Waiter = { readonly resolve: (revision: number) => void; readonly reject: (error: StoreError) => void };
type Job = { readonly write?: Write; readonly upkeep?: Upkeep } & Waiter;

/**
 * Group commit: while one commit is being synced, writes gather for the next; all of them share its sync. A write is
 * published to watchers and then acknowledged only once it is on disk; if its commit fails it never happened, and its
 * revision is never used again.
 *
 * At most one write per key is in flight: `settled` lets the next writer of that key wait until its condition can be
 * checked against what is durable, so no answer ever rests on a write that may still fail.
 */
export class CommitQueue {
  readonly #engine: Engine;
  readonly #publish: (records: readonly LogRecord[]) => void;
  readonly #inFlight = new Map<string, Promise<unknown>>();
  #jobs: Job[] = [];
  #running: Promise<void> | undefined;
  #lastRevision: number;

  constructor(engine: Engine, publish: (records: readonly LogRecord[]) => void) {
    this.#engine = engine;
    this.#publish = publish;
    this.#lastRevision = engine.revision();
  }

  /** Resolves, never rejects, once no write of the key is in flight; undefined when none is. */
  settled(key: string): Promise<unknown> | undefined {
    return this.#inFlight.get(key);
  }

  /** Resolves with the write's revision once it is durable and published. The key must have no write in flight. */
  write(write: Write): Promise<number> {
    const done = this.#enqueue({ write });
    const settled = done.catch(() => undefined).finally(() => this.#inFlight.delete(write.key));
    this.#inFlight.set(write.key, settled);
    return done;
  }

  /** Resolves once the housekeeping is durable. */
  async tidy(upkeep: Upkeep): Promise<void> {
    await this.#enqueue({ upkeep });
  }

  /** Resolves once everything enqueued so far has succeeded or failed. */
  async drain(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  #enqueue(work: Pick<Job, "write" | "upkeep">): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#jobs.push({ ...work, resolve, reject });
      this.#running ??= this.#run();
    });
  }

  async #run(): Promise<void> {
    await Promise.resolve(); // writes made in the same turn join the first commit
    while (this.#jobs.length > 0) {
      const jobs = this.#jobs;
      this.#jobs = [];
      await this.#commit(jobs);
      await Promise.resolve(); // writes made by those just acknowledged join the next one
    }
    this.#running = undefined; // in the same turn as the check above, so that no job is left behind
  }

  async #commit(jobs: readonly Job[]): Promise<void> {
    const records: LogRecord[] = [];
    const expiries: Expiry[] = [];
    const revisions = jobs.map(({ write }) => {
      if (write === undefined) return 0;
      const { expiresAt, ...fields } = write;
      const revision = ++this.#lastRevision;
      const createRevision = write.createRevision === "self" ? revision : write.createRevision;
      records.push({ ...fields, revision, createRevision });
      if (expiresAt !== undefined) expiries.push({ time: expiresAt, revision, key: write.key });
      return revision;
    });
    try {
      await this.#engine.commit(changesOf(jobs, records, expiries));
    } catch (error) {
      for (const job of jobs) job.reject(error as StoreError);
      return;
    }
    if (records.length > 0) this.#publish(records);
    for (const [index, job] of jobs.entries()) job.resolve(revisions[index] ?? 0);
  }
}

function changesOf(jobs: readonly Job[], records: readonly LogRecord[], expiries: readonly Expiry[]): Changes {
  const upkeeps = jobs.flatMap((job) => job.upkeep ?? []);
  const compacted = upkeeps.flatMap((upkeep) => upkeep.compactedRevision ?? []);
  return {
    records,
    expiries,
    droppedRecords: upkeeps.flatMap((upkeep) => upkeep.droppedRecords),
    droppedExpiries: upkeeps.flatMap((upkeep) => upkeep.droppedExpiries),
    ...(compacted.length > 0 && { compactedRevision: Math.max(...compacted) }),
  };
}
