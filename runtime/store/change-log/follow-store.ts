import type { ChangeLogUse } from "../../contract/disk-use.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Engine, Expiry } from "../embedded/engine.ts";
import { StoreError } from "../errors.ts";
import { encodeChange } from "./change-frames.ts";
import { ChangeLog, type ChangeLogConfig } from "./change-log.ts";

/** Changes of this interval share a write and a sync. The log may lag by as much. */
const GATHER_MS = 200;
const RETRY_MS = 1000;
const BATCH_BYTES = 1024 * 1024;

/** Called with a sentence for the log of the server. */
export type OnProblem = (message: string) => void;

/**
 * Copies the changes of an engine to its change log, after they are durable and published. Writers do not wait for it, and the log never
 * contains a change that the store lacks. The engine keeps history until it is logged: changes that a crash kept from the log are copied at
 * the next start.
 */
export class ChangeLogFollower {
  readonly #engine: Engine;
  readonly #log: ChangeLog;
  readonly #clock: Clock;
  readonly #onProblem: OnProblem;
  readonly #directory: string;
  /** Expiry times of keys, by revisions that are not logged yet. */
  readonly #expiries = new Map<number, number>();
  #published: number;
  #running: Promise<void> | undefined;
  #cancel: (() => void) | undefined;
  #failing = false;
  #failures = 0;
  #closed = false;

  private constructor(
    engine: Engine,
    log: ChangeLog,
    { clock, onProblem, directory }: { clock: Clock; onProblem: OnProblem; directory: string },
  ) {
    this.#engine = engine;
    this.#log = log;
    this.#clock = clock;
    this.#onProblem = onProblem;
    this.#directory = directory;
    this.#published = engine.revision();
    if (this.#published > log.revision) {
      for (const expiry of engine.expiries(Number.MAX_SAFE_INTEGER - 1)) this.#noteExpiry(expiry);
      this.#schedule(0);
    }
  }

  /** Throws NotWritable, and Corrupt if the log contains changes that this data does not have. */
  static async open(
    engine: Engine,
    config: ChangeLogConfig,
    clock: Clock,
    onProblem: OnProblem,
  ): Promise<ChangeLogFollower> {
    const { directory } = config;
    const log = await ChangeLog.open(config, engine.identity);
    const isNew = log.revision === 0 && log.lastFound === undefined;
    if (log.revision > engine.revision() || isOfAnotherPast(engine, log)) {
      await log.close();
      throw new StoreError(
        "Corrupt",
        `the change log in ${directory} has changes that the data lacks, as after a restore: name another directory`,
      );
    }
    const compacted = engine.compactedRevision();
    if (log.revision < compacted) {
      if (!isNew)
        onProblem(
          `the change log in ${directory} lacks the changes between the revisions ${log.revision} and ${compacted}: make a backup now`,
        );
      await log.skipTo(compacted);
    }
    return new ChangeLogFollower(engine, log, { clock, onProblem, directory });
  }

  /** Changes up to this revision are in the log. The engine must keep the history after it. */
  get revision(): number {
    return this.#log.revision;
  }

  get use(): ChangeLogUse {
    return { failures: this.#failures, behind: Math.max(0, this.#published - this.#log.revision) };
  }

  /** Called with changes that are durable, in the order of their revisions. */
  note(revision: number, expiries: readonly Expiry[]): void {
    this.#published = revision;
    for (const expiry of expiries) this.#noteExpiry(expiry);
    this.#schedule(GATHER_MS);
  }

  /** Resolves once all noted changes are in the log. Rejects with the error of the operating system. */
  async flush(): Promise<void> {
    while (this.#running !== undefined) await this.#running.catch(() => undefined);
    this.#running = this.#copy();
    try {
      await this.#running;
      this.#failing = false;
    } finally {
      this.#running = undefined;
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#cancel?.();
    await this.flush().catch((error: unknown) => this.#failed(error));
    await this.#log.close();
  }

  #noteExpiry({ revision, time }: Expiry): void {
    if (revision > this.#log.revision) this.#expiries.set(revision, time);
  }

  #schedule(delayMs: number): void {
    if (this.#closed) return;
    this.#cancel ??= this.#clock.after(delayMs, () => {
      void this.flush()
        .then(
          () => 0,
          (error: unknown) => this.#failed(error),
        )
        .then((retryMs) => {
          this.#cancel = undefined;
          if (this.#log.revision < this.#published) this.#schedule(retryMs || GATHER_MS);
        });
    });
  }

  /** Counts a failure, and reports the first of consecutive ones. Returns the delay in milliseconds until the next attempt. */
  #failed(error: unknown): number {
    this.#failures++;
    if (!this.#failing)
      this.#onProblem(
        `the change log in ${this.#directory} cannot be written: ${error instanceof Error ? error.message : error}; the data file keeps its history until it can`,
      );
    this.#failing = true;
    return RETRY_MS;
  }

  async #copy(): Promise<void> {
    while (this.#log.revision < this.#published) {
      const { changes, revision } = this.#nextBatch();
      if (changes.length > 0) await this.#log.append(changes, revision);
      else await this.#log.skipTo(revision);
      for (const logged of this.#expiries.keys()) if (logged <= revision) this.#expiries.delete(logged);
    }
  }

  /**
   * Returns the next changes to log. They are encoded because a record is valid only until the next one is read. If there are none,
   * `revision` is the last published one.
   */
  #nextBatch(): { changes: Buffer[]; revision: number } {
    const changes: Buffer[] = [];
    let [bytes, revision] = [0, this.#published];
    for (const record of this.#engine.records(this.#log.revision + 1)) {
      if (record.revision > this.#published || bytes >= BATCH_BYTES) break;
      const encoded = encodeChange({ record, expiresAt: this.#expiries.get(record.revision) ?? 0 });
      changes.push(encoded);
      bytes += encoded.length;
      revision = record.revision;
    }
    return { changes, revision };
  }
}

/**
 * Whether the data has another change, or none, at the last revision of the log: the data was restored to an earlier revision and has
 * changed since.
 */
function isOfAnotherPast(engine: Engine, { lastFound: last }: ChangeLog): boolean {
  if (last === undefined) return false;
  const found = engine.record(last.revision);
  if (found === undefined) return last.revision > engine.compactedRevision();
  return found.key !== last.key || found.time !== last.time || !Buffer.from(found.value).equals(last.value);
}
