import type { DiskUse } from "../contract/disk-use.ts";

/**
 * The byte-level store with the semantics of etcd: one global revision that every write increases, compare-and-set
 * on a key's last revision, reads at a past revision and watches from one, until it is compacted away.
 *
 * Keys are strings such as `/registry/pods/default/a`, ordered by their bytes; values are opaque. Revisions are safe
 * integers; the first write makes revision 2, as in etcd, so that 0 and 1 never name an object.
 * Every method rejects with a `StoreError` (errors.ts) and with nothing else.
 */
export interface Store {
  /**
   * True when `put` and `delete` resolve only after every watcher was called with the change: a cache fed by `watch`
   * is then never behind a write that was acknowledged, and a consistent read needs no round trip. For a store in another process
   * it is true only while every watch has been told of all acknowledged writes: it must be read again in each turn.
   */
  readonly watchesAreImmediate: boolean;

  /**
   * Whether watches report progress while nothing changes. If not, `requestProgress` is never answered,
   * and callers that need the newest revision read it from the store.
   */
  readonly tellsProgress: boolean;

  /**
   * Bytes that belong to the data: the same for every server over it and for as long as it lives. Not a secret from
   * those who can read the data.
   */
  readonly identity: Uint8Array;

  /** Reads that wait for nothing; absent where a read takes a call, or where values are converted on their way. */
  readonly direct?: DirectReads | undefined;

  /** The last acknowledged revision. Linearizable: no write acknowledged before the call is newer than the result. */
  currentRevision(): Promise<number>;

  get(key: string, options?: { atRevision?: number }): Promise<StoreEntry | undefined>;

  /** Entries under a prefix in key order, as of one revision. Throws Compacted or FutureRevision. */
  range(request: RangeRequest): Promise<RangeResult>;

  /**
   * Writes the value if the key is at `expected` (0: must not exist), else throws CasFailed with the current entry.
   * Resolves with the write's revision once it is durable.
   */
  put(key: string, value: Uint8Array, options: PutOptions): Promise<PutResult>;

  /** Removes the key if it is at `expected`, else throws CasFailed. Resolves once the removal is durable. */
  delete(key: string, options: { expected: number }): Promise<PutResult>;

  /**
   * Reports every change under a prefix from a revision on, each once, in revision order, first from history then as
   * they happen, across reconnects. The watch ends by `close` or with `receiver.failed` (Compacted when history is gone).
   */
  watch(request: WatchRequest, receiver: WatchReceiver): StoreWatch;

  /** Forgets what was superseded at or before the revision; later reads below it throw Compacted. */
  compact(revision: number): Promise<void>;

  /** What the data takes on disk, in each place that keeps it: none for what is kept in memory. */
  diskUse(): Promise<readonly DiskUse[]>;

  /** Ends watches, finishes writes under way and releases everything. Later calls throw Closed. */
  close(): Promise<void>;
}

/** An entry whose value is in memory that is valid until the next read. */
export type DirectEntry = Pick<StoreEntry, "key" | "value" | "modRevision">;

export type DirectEntries = Iterator<DirectEntry | Promise<void> | undefined, void>;

/** A key that changed, and the revision that it was at before: 0 if it did not exist. */
export interface DirectChange {
  readonly key: string;
  readonly previousRevision: number;
}

export interface DirectReads {
  /** The last acknowledged revision. */
  currentRevision(): number;
  /** What was superseded at or before this revision is forgotten. */
  compactedRevision(): number;
  /**
   * All entries under a prefix as of a revision, in the order that is fastest. They may be taken in several turns; undefined
   * stands for a step of work without an entry, a promise for a step to wait for. Throws StoreError while it is iterated.
   */
  entries(request: { readonly prefix: string; readonly atRevision: number }): DirectEntries;
  /**
   * All changes after a revision, up to and including another, oldest first. They may be taken in several turns, as entries. Throws
   * StoreError while it is iterated.
   */
  changes(range: { readonly after: number; readonly upTo: number }): Iterable<DirectChange | Promise<void> | undefined>;
  /** The value written at a revision, in memory that is valid until the next read; undefined once it is forgotten. Throws StoreError. */
  valueAt(revision: number): Uint8Array | undefined;
  /** Reads values into memory before they are asked for, without holding up the event loop; undefined where reads do not wait for a disk. */
  prefetch(revisions: readonly number[]): Promise<void> | undefined;
  /** Calls `listener` with the revisions of values that are about to be forgotten, as long as they can still be read. */
  beforeForgetting(listener: (revisions: readonly number[]) => void): void;
}

export interface StoreEntry {
  readonly key: string;
  readonly value: Uint8Array;
  /** Revision of the write that created the key's present life. */
  readonly createRevision: number;
  readonly modRevision: number;
  /** Set by stores that convert: the value is kept in another form than writes use now. */
  readonly stale?: boolean;
}

export interface RangeRequest {
  /** Only keys that start with it; usually ends with a slash. */
  readonly prefix: string;
  /** Only keys greater than this one. */
  readonly startAfter?: string;
  /** At most this many entries. Absent: all; backends fetch them in pages. */
  readonly limit?: number;
  /** State as of this revision. Absent: the current state. */
  readonly atRevision?: number;
  /** Ask for `count`. */
  readonly count?: boolean;
}

export interface RangeResult {
  readonly entries: readonly StoreEntry[];
  /** The revision the entries show: `atRevision` when given. */
  readonly revision: number;
  /** More entries follow the last one. */
  readonly more: boolean;
  /** Keys in the range from `startAfter` on, without regard to `limit`; only on request. */
  readonly count?: number;
}

export interface PutOptions {
  /** Revision the key must be at; 0 means it must not exist. */
  readonly expected: number;
  /** The key removes itself, with an event, some time after this many seconds. */
  readonly ttlSeconds?: number;
}

export interface PutResult {
  readonly revision: number;
  /** Set by stores that convert: what a read returns, if that is not the value that was written. */
  readonly value?: Uint8Array;
}

export interface WatchRequest {
  readonly prefix: string;
  /** First revision to report. */
  readonly startRevision: number;
  /** Attach the entry each change replaced. */
  readonly previous?: boolean;
}

export interface StoreEvent {
  readonly type: "put" | "delete";
  readonly key: string;
  /** The new value; empty for a deletion. */
  readonly value: Uint8Array;
  /** Revision of this change. */
  readonly revision: number;
  /** For a put, the revision that created the key. For a deletion 0. */
  readonly createRevision: number;
  /** What was there before; absent when nothing was, when not requested, or when already compacted. */
  readonly previous?: StoreEntry;
}

/** Called in order and never again after `failed` or `close`. Must not throw. */
export interface WatchReceiver {
  /** Changes of the prefix, all those of one revision together. The watch is complete up to `revision`. */
  changed(events: readonly StoreEvent[], revision: number): void;
  /** Nothing in the prefix changed up to this revision that was not already reported. */
  progress(revision: number): void;
  /** The watch has ended for good. */
  failed(error: Error): void;
}

export interface StoreWatch {
  /** Requests a call of `receiver.progress`. A busy store may not respond: request it again. */
  requestProgress(): void;
  close(): void;
}
