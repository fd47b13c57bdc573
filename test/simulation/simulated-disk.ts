import type {
  Changes,
  Engine,
  Expiry,
  KeyHead,
  LogRecord,
  RecordAge,
  RecordHeader,
} from "../../runtime/store/embedded/engine.ts";
import type { MemoryEngine } from "../../runtime/store/embedded/memory-engine.ts";
import { NoSpaceError } from "../../runtime/store/errors.ts";
import type { DirectEntry } from "../../runtime/store/store.ts";
import type { World } from "./world.ts";

/** Maximum durations of a commit: until it is on disk and visible to reads, and from then until the store is notified. */
const SYNC_MS = 6;
const TOLD_MS = 3;

export interface DiskOptions {
  /** The disk confirms a commit before it is durable. */
  readonly acknowledgesEarly?: boolean;
}

/**
 * The tables of an embedded store on a simulated disk, with the timing of LMDB: a commit takes time, and reads of the tables see it before
 * the store is notified. A full disk rejects it. A crash loses it unless it was on disk; then only the notification may be lost.
 */
export class SimulatedDisk implements Engine {
  readonly #world: World;
  readonly #tables: MemoryEngine;
  readonly #options: DiskOptions;
  #revision: number;
  #compacted: number;
  /** State after a crash. */
  #durable: MemoryEngine;
  /** Commit that is being synced. */
  #pending: Changes | undefined;
  #isDead = false;
  isFull = false;

  constructor(world: World, tables: MemoryEngine, options: DiskOptions = {}) {
    this.#world = world;
    this.#tables = tables;
    this.#options = options;
    this.#revision = tables.revision();
    this.#compacted = tables.compactedRevision();
    this.#durable = tables.fork();
  }

  get identity(): Uint8Array {
    return this.#tables.identity;
  }

  revision(): number {
    return this.#revision;
  }

  compactedRevision(): number {
    return this.#compacted;
  }

  head(key: string): KeyHead | undefined {
    return this.#tables.head(key);
  }

  heads(prefix: string, startAfter?: string): Iterable<KeyHead> {
    return this.#tables.heads(prefix, startAfter);
  }

  countKeys(prefix: string, startAfter?: string): number {
    return this.#tables.countKeys(prefix, startAfter);
  }

  entryAt(revision: number): DirectEntry | undefined {
    return this.#tables.entryAt(revision);
  }

  valueAt(revision: number): Uint8Array | undefined {
    return this.#tables.valueAt(revision);
  }

  record(revision: number): LogRecord | undefined {
    return this.#tables.record(revision);
  }

  recordHeaders(fromRevision: number): Iterable<RecordHeader> {
    return this.#tables.recordHeaders(fromRevision);
  }

  recordAges(fromRevision: number): Iterable<RecordAge> {
    return this.#tables.recordAges(fromRevision);
  }

  records(fromRevision: number): Iterable<LogRecord> {
    return this.#tables.records(fromRevision);
  }

  expiries(dueBy: number): Iterable<Expiry> {
    return this.#tables.expiries(dueBy);
  }

  async commit(changes: Changes): Promise<void> {
    const before = this.#compacted;
    this.#compacted = changes.compactedRevision ?? before;
    if (this.#options.acknowledgesEarly) {
      await this.#tables.commit(changes);
      this.#revision = changes.records.at(-1)?.revision ?? this.#revision;
      this.#event("late sync", SYNC_MS * 10, () => void this.#durable.commit(changes));
      return;
    }
    this.#pending = changes;
    await new Promise<void>((resolve, reject) => {
      this.#event("sync", SYNC_MS, () => {
        this.#pending = undefined;
        if (this.isFull) {
          this.#compacted = before;
          reject(new NoSpaceError());
          return;
        }
        void this.#tables.commit(changes);
        this.#durable = this.#tables.fork();
        this.#event("synced", TOLD_MS, () => {
          this.#revision = changes.records.at(-1)?.revision ?? this.#revision;
          resolve();
        });
      });
    });
  }

  async diskUse(): Promise<undefined> {}

  async close(): Promise<void> {}

  /** Ends the process at any point. Returns the state that a new process finds. */
  crash(): MemoryEngine {
    this.#isDead = true;
    // The disk may have completed the commit.
    if (this.#pending !== undefined && !this.isFull && this.#world.chance(0.5))
      void this.#durable.commit(this.#pending);
    return this.#durable;
  }

  #event(label: string, longestMs: number, action: () => void): void {
    this.#world.event(label, longestMs, () => this.#isDead || action());
  }
}
