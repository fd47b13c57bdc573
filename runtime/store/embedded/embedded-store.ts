import { setImmediate } from "node:timers";
import type { ChangeLogUse, DiskUse } from "../../contract/disk-use.ts";
import type { Clock } from "../../lib/clock.ts";
import { CasFailedError, CompactedError, FutureRevisionError, StoreError, type StoreLostError } from "../errors.ts";
import type {
  DirectReads,
  PutOptions,
  PutResult,
  RangeRequest,
  RangeResult,
  Store,
  StoreEntry,
  StoreWatch,
  WatchReceiver,
  WatchRequest,
} from "../store.ts";
import { CommitQueue, type Write } from "./commit-queue.ts";
import type { Engine, Expiry, KeyHead, LogRecord } from "./engine.ts";
import { Housekeeping } from "./housekeeping.ts";
import { type LoadRequest, type LoadSteps, loadEntries, readChanges, readKey, readRange } from "./read-state.ts";
import { RecentHeads } from "./recent-heads.ts";
import { WatchHub } from "./watch-hub.ts";

/** Entries read per turn of the event loop if a range has no limit. */
const PAGE = 1000;
const EMPTY = new Uint8Array();
/** Well below the limit of LMDB, and well above the combined length of names and namespaces. */
const MAX_KEY_BYTES = 1500;

export interface EmbeddedStoreOptions {
  readonly engine: Engine;
  readonly clock: Clock;
  /** How long superseded values stay readable and watchable. Five minutes in a server. */
  readonly historyMs: number;
  /** Receives every change. Compaction keeps history until the follower has received it. */
  readonly follower?: StoreFollower | undefined;
  /** Called after the store and its engine are closed. */
  readonly onClose?: () => void;
  /** Called when the data becomes unusable until the store is reopened. */
  readonly onLost?: ((error: StoreLostError) => void) | undefined;
}

/** Copies durable changes to another location, at its own pace. */
export interface StoreFollower {
  /** Changes up to this revision are copied. */
  readonly revision: number;
  /** Its lag and failures, for metrics. */
  readonly use: ChangeLogUse;
  /** Called with changes that are durable. Must not throw. */
  note(revision: number, expiries: readonly Expiry[]): void;
  /** Resolves once all noted changes are copied. */
  flush(): Promise<void>;
  /** Copies the remaining changes, if possible. */
  close(): Promise<void>;
}

/** Follows the revisions that are published. Must not throw. */
export interface CommitObserver {
  /** Called before watchers and writers are notified of changes up to a revision. */
  publishing(revision: number): void;
  /** Called after all watchers are notified, and before the writers are. */
  published(revision: number): void;
}

/** The store of a single server: etcd's semantics over an engine in the same process. */
export class EmbeddedStore implements Store {
  readonly watchesAreImmediate = true;
  readonly tellsProgress = true;
  readonly #engine: Engine;
  readonly #clock: Clock;
  readonly #heads = new RecentHeads();
  readonly #hub: WatchHub;
  readonly #queue: CommitQueue;
  readonly #housekeeping: Housekeeping;
  readonly #follower: StoreFollower | undefined;
  readonly #onClose: (() => void) | undefined;
  readonly #forgetting = new Set<(revisions: readonly number[]) => void>();
  readonly direct: DirectReads = {
    currentRevision: () => {
      this.#checkOpen();
      return this.#hub.publishedRevision;
    },
    compactedRevision: () => this.#engine.compactedRevision(),
    entries: (request) => this.#load(request),
    changes: (range) => this.#changes(range),
    valueAt: (revision) => {
      // The engine stays open until the last write is done: readers of dropped values read them before.
      if (this.#engineClosed) throw new StoreError("Closed", "the store is closed");
      return this.#engine.valueAt(revision);
    },
    prefetch: (revisions) => (this.#closed ? undefined : this.#engine.readAhead?.all(revisions)),
    beforeForgetting: (listener) => void this.#forgetting.add(listener),
  };
  #observer: CommitObserver | undefined;
  #closed = false;
  #engineClosed = false;

  constructor(options: EmbeddedStoreOptions) {
    this.#engine = options.engine;
    this.#clock = options.clock;
    this.#follower = options.follower;
    this.#onClose = options.onClose;
    this.#hub = new WatchHub(options.engine);
    const publish = (records: readonly LogRecord[], expiries: readonly Expiry[]): void => {
      this.#heads.note(records);
      const revision = records.at(-1)?.revision ?? this.#hub.publishedRevision;
      this.#observer?.publishing(revision);
      this.#hub.publish(records);
      this.#observer?.published(revision);
      this.#follower?.note(revision, expiries);
    };
    this.#queue = new CommitQueue(options.engine, publish, options.onLost, (revisions) => {
      for (const listener of this.#forgetting) listener(revisions);
    });
    this.#housekeeping = new Housekeeping(options.engine, this.#queue, options.clock, {
      historyMs: options.historyMs,
      expire: (expiry) => this.#expire(expiry),
      follower: options.follower,
    });
  }

  /** Random bytes that identify this data for its whole life. */
  get identity(): Uint8Array {
    return this.#engine.identity;
  }

  /** The last revision of which watchers and writers were notified. */
  get publishedRevision(): number {
    return this.#hub.publishedRevision;
  }

  /** From now on, notifies `observer` of published revisions. There is at most one observer. */
  observe(observer: CommitObserver): void {
    this.#observer = observer;
  }

  async currentRevision(): Promise<number> {
    this.#checkOpen();
    return this.#hub.publishedRevision;
  }

  async get(key: string, options?: { atRevision?: number }): Promise<StoreEntry | undefined> {
    this.#checkOpen();
    return Buffer.byteLength(key) > MAX_KEY_BYTES ? undefined : readKey(this.#engine, key, options?.atRevision);
  }

  async range(request: RangeRequest): Promise<RangeResult> {
    this.#checkOpen();
    if (request.limit !== undefined) return readRange(this.#engine, request);
    const first = readRange(this.#engine, { ...request, limit: PAGE });
    if (!first.more) return first;
    const entries = [...first.entries];
    for (let page = first; page.more; ) {
      await new Promise((resolve) => setImmediate(resolve));
      this.#checkOpen();
      const startAfter = entries[entries.length - 1]?.key;
      const next = { prefix: request.prefix, limit: PAGE, atRevision: first.revision };
      page = readRange(this.#engine, startAfter === undefined ? next : { ...next, startAfter });
      for (const entry of page.entries) entries.push(entry);
    }
    return { ...first, entries, more: false };
  }

  put(key: string, value: Uint8Array, options: PutOptions): Promise<PutResult> {
    return this.#write(key, options.expected, (head, time) => ({
      type: "put",
      key,
      value,
      createRevision: head?.createRevision ?? "self",
      previousRevision: options.expected,
      time,
      ...(options.ttlSeconds !== undefined && { expiresAt: time + options.ttlSeconds * 1000 }),
    }));
  }

  delete(key: string, options: { expected: number }): Promise<PutResult> {
    return this.#write(key, options.expected, (head, time) => {
      if (head === undefined) throw new CasFailedError(key, undefined);
      return { type: "delete", key, value: EMPTY, createRevision: 0, previousRevision: head.modRevision, time };
    });
  }

  *#load(request: LoadRequest): LoadSteps {
    this.#checkOpen();
    for (const entry of loadEntries(this.#engine, request)) {
      yield entry;
      this.#checkOpen();
    }
  }

  *#changes(range: { readonly after: number; readonly upTo: number }): ReturnType<typeof readChanges> {
    this.#checkOpen();
    for (const change of readChanges(this.#engine, range)) {
      yield change;
      this.#checkOpen();
    }
  }

  watch(request: WatchRequest, receiver: WatchReceiver): StoreWatch {
    this.#checkOpen();
    return this.#hub.open(request, receiver);
  }

  async compact(revision: number): Promise<void> {
    this.#checkOpen();
    const current = this.#engine.revision();
    if (revision > current) throw new FutureRevisionError(revision, current);
    const compacted = this.#engine.compactedRevision();
    if (revision <= compacted) throw new CompactedError(compacted);
    await this.#follower?.flush();
    await this.#housekeeping.compactTo(revision);
  }

  async diskUse(): Promise<readonly DiskUse[]> {
    this.#checkOpen();
    const use = await this.#engine.diskUse();
    if (use === undefined) return [];
    return [use.file === undefined ? use : { ...use, file: { ...use.file, changeLog: this.#follower?.use } }];
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#housekeeping.stop();
    await this.#queue.drain();
    this.#hub.close();
    await this.#follower?.close();
    this.#engineClosed = true;
    await this.#engine.close();
    this.#onClose?.();
  }

  /**
   * Waits until no write of the key is in flight, checks the expected revision against durable state, and enqueues the write in the same
   * turn: of several writers with the same expectation, only the first succeeds.
   */
  async #write(
    key: string,
    expected: number,
    prepare: (head: KeyHead | undefined, time: number) => Write,
  ): Promise<PutResult> {
    if (key.length * 3 > MAX_KEY_BYTES && Buffer.byteLength(key) > MAX_KEY_BYTES) {
      throw new StoreError("TooLarge", `keys may have at most ${MAX_KEY_BYTES} bytes`);
    }
    for (let settled = this.#queue.settled(key); settled !== undefined; settled = this.#queue.settled(key)) {
      await settled;
    }
    this.#checkOpen();
    const head = this.#heads.get(key) ?? this.#engine.head(key);
    if ((head?.modRevision ?? 0) !== expected) throw new CasFailedError(key, readKey(this.#engine, key));
    return this.#queue.write(prepare(head, this.#clock.now()));
  }

  async #expire({ key, revision }: Expiry): Promise<void> {
    try {
      await this.delete(key, { expected: revision });
    } catch (error) {
      // The key was written again or deleted: the expiry no longer applies.
      if (!(error instanceof CasFailedError)) throw error;
    }
  }

  #checkOpen(): void {
    if (this.#closed) throw new StoreError("Closed", "the store is closed");
  }
}
