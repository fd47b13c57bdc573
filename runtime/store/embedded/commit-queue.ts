import { type StoreError, StoreLostError } from "../errors.ts";
import type { PutResult } from "../store.ts";
import type { Changes, Engine, Expiry, LogRecord } from "./engine.ts";

/** A write whose conditions are checked and which has no revision yet. */
export interface Write {
  readonly type: "put" | "delete";
  readonly key: string;
  readonly value: Uint8Array;
  readonly createRevision: number | "self";
  readonly previousRevision: number;
  readonly time: number;
  /** For a put with a time to live: when the key expires, in milliseconds since the epoch. */
  readonly expiresAt?: number;
}

/** Housekeeping changes that are added to the next commit. */
export interface Upkeep {
  readonly droppedRecords: readonly number[];
  readonly droppedExpiries: readonly Expiry[];
  readonly compactedRevision?: number;
}

interface Job {
  readonly write: Write | undefined;
  readonly upkeep: Upkeep | undefined;
  readonly resolve: (result: PutResult) => void;
  readonly reject: (error: StoreError) => void;
  /** Called once the job has succeeded or failed. Writers of the same key wait for it. */
  onSettled: (() => void)[] | undefined;
}

/**
 * Group commit: while one commit is being synced, writes gather for the next one and share its sync. A write is published to watchers, and
 * then acknowledged, only once it is on disk. If its commit fails, the write never happened and its revision is never used again.
 *
 * At most one write per key is in flight. `settled` lets the next writer of that key wait until its condition can be checked against
 * durable state, so that no response ever depends on a write that may still fail.
 */
export class CommitQueue {
  readonly #engine: Engine;
  readonly #publish: (records: readonly LogRecord[], expiries: readonly Expiry[]) => void;
  readonly #onLost: (error: StoreLostError) => void;
  /** Called before records are dropped, once all records that supersede them are published. */
  readonly #onDropping: (revisions: readonly number[]) => void;
  readonly #inFlight = new Map<string, Job>();
  #jobs: Job[] = [];
  #running: Promise<void> | undefined;
  #lastRevision: number;

  constructor(
    engine: Engine,
    publish: (records: readonly LogRecord[], expiries: readonly Expiry[]) => void,
    onLost: (error: StoreLostError) => void = () => undefined,
    onDropping: (revisions: readonly number[]) => void = () => undefined,
  ) {
    this.#engine = engine;
    this.#publish = publish;
    this.#onLost = onLost;
    this.#onDropping = onDropping;
    this.#lastRevision = engine.revision();
  }

  /** Resolves, never rejects, once the write in flight for the key has settled. Returns undefined if there is none. */
  settled(key: string): Promise<void> | undefined {
    const job = this.#inFlight.get(key);
    if (job === undefined) return undefined;
    return new Promise((resolve) => {
      job.onSettled ??= [];
      job.onSettled.push(resolve);
    });
  }

  /** Resolves with the write's revision once it is durable and published. The key must have no write in flight. */
  write(write: Write): Promise<PutResult> {
    return new Promise((resolve, reject) => {
      const job: Job = { write, upkeep: undefined, resolve, reject, onSettled: undefined };
      this.#inFlight.set(write.key, job);
      this.#enqueue(job);
    });
  }

  /** Resolves once the housekeeping is durable. */
  async tidy(upkeep: Upkeep): Promise<void> {
    await new Promise((resolve, reject) => {
      this.#enqueue({ write: undefined, upkeep, resolve, reject, onSettled: undefined });
    });
  }

  /** Resolves once everything enqueued so far has succeeded or failed. */
  async drain(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  #enqueue(job: Job): void {
    this.#jobs.push(job);
    this.#running ??= this.#run();
  }

  async #run(): Promise<void> {
    await Promise.resolve(); // writes of the same turn of the event loop join the first commit
    while (this.#jobs.length > 0) {
      const jobs = this.#jobs;
      this.#jobs = [];
      await this.#commit(jobs);
      await Promise.resolve(); // writes that follow from these acknowledgments join the next commit
    }
    this.#running = undefined; // in the same turn as the check above, so that no job is left in the queue
  }

  async #commit(jobs: readonly Job[]): Promise<void> {
    const records: LogRecord[] = [];
    const expiries: Expiry[] = [];
    for (const { write } of jobs) {
      if (write === undefined) continue;
      const record = recordOf(write, ++this.#lastRevision);
      records.push(record);
      if (write.expiresAt !== undefined) {
        expiries.push({ time: write.expiresAt, revision: record.revision, key: write.key });
      }
    }
    let failure: StoreError | undefined;
    try {
      const changes = changesOf(jobs, records, expiries);
      if (changes.droppedRecords.length > 0) this.#onDropping(changes.droppedRecords);
      await this.#engine.commit(changes);
    } catch (error) {
      failure = error as StoreError;
      if (failure instanceof StoreLostError) this.#onLost(failure);
    }
    if (failure === undefined && records.length > 0) this.#publish(records, expiries);
    let next = 0;
    for (const job of jobs) this.#settle(job, failure, job.write === undefined ? 0 : (records[next++]?.revision ?? 0));
  }

  #settle(job: Job, failure: StoreError | undefined, revision: number): void {
    if (job.write !== undefined) this.#inFlight.delete(job.write.key);
    if (failure === undefined) job.resolve({ revision });
    else job.reject(failure);
    for (const resume of job.onSettled ?? []) resume();
  }
}

function recordOf(write: Write, revision: number): LogRecord {
  return {
    revision,
    type: write.type,
    key: write.key,
    value: write.value,
    createRevision: write.createRevision === "self" ? revision : write.createRevision,
    previousRevision: write.previousRevision,
    time: write.time,
  };
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
