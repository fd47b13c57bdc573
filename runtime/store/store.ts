import type { DiskUse } from "../contract/disk-use.ts";

/**
 * The byte-level store with the semantics of etcd: one global revision that every write increases, compare-and-set on a key's last
 * revision, and reads and watches at past revisions that are not compacted yet.
 *
 * Keys are strings such as `/registry/pods/default/a`, ordered by their bytes; values are opaque. Revisions are safe integers. As in etcd,
 * the first write makes revision 2, so that 0 and 1 never identify an object. Every method rejects with a `StoreError` (errors.ts) and with
 * nothing else.
 */
export interface Store {
  /**
   * True if `put` and `delete` resolve only after every watcher was called with the change. A cache fed by `watch` is then never behind an
   * acknowledged write, and a consistent read needs no round trip. For a store in another process, it is true only while every watch has
   * received all acknowledged writes: it must be read again in each turn of the event loop.
   */
  readonly watchesAreImmediate: boolean;

  /**
   * Whether watches report progress while nothing changes. If not, `requestProgress` has no effect, and callers that need the newest
   * revision read it from the store.
   */
  readonly tellsProgress: boolean;

  /** Bytes that identify the data: the same for every server that uses it, for its whole life. Not a secret from readers of the data. */
  readonly identity: Uint8Array;

  /** Synchronous reads. Absent if a read needs a call, or if values are converted on their way. */
  readonly direct?: DirectReads | undefined;

  /** The last acknowledged revision. Linearizable: no write acknowledged before the call is newer than the result. */
  currentRevision(): Promise<number>;

  get(key: string, options?: { atRevision?: number }): Promise<StoreEntry | undefined>;

  /** Returns the entries under a prefix in key order, as of one revision. Throws Compacted or FutureRevision. */
  range(request: RangeRequest): Promise<RangeResult>;

  /**
   * Writes the value if the key is at `expected` (0: must not exist), otherwise throws CasFailed with the current entry. Resolves with the
   * write's revision once it is durable.
   */
  put(key: string, value: Uint8Array, options: PutOptions): Promise<PutResult>;

  /** Removes the key if it is at `expected`, otherwise throws CasFailed. Resolves once the removal is durable. */
  delete(key: string, options: { expected: number }): Promise<PutResult>;

  /**
   * Reports every change under a prefix from a revision on, each once, in revision order: first from history, then as changes happen.
   * Continues across reconnects. The watch ends by `close` or with `receiver.failed` (Compacted if the history is gone).
   */
  watch(request: WatchRequest, receiver: WatchReceiver): StoreWatch;

  /** Drops everything that was superseded at or before the revision. Later reads below it throw Compacted. */
  compact(revision: number): Promise<void>;

  /** Disk usage of the data in each location that stores it; empty for a store in memory. */
  diskUse(): Promise<readonly DiskUse[]>;

  /** Ends watches, completes writes in progress and releases all resources. Later calls throw Closed. */
  close(): Promise<void>;
}

/** An entry whose value is in memory that is valid until the next read. */
export type DirectEntry = Pick<StoreEntry, "key" | "value" | "modRevision">;

export type DirectEntries = Iterator<DirectEntry | Promise<void> | undefined, void>;

/** A key that changed, and its revision before the change: 0 if it did not exist. */
export interface DirectChange {
  readonly key: string;
  readonly previousRevision: number;
}

export interface DirectReads {
  /** The last acknowledged revision. */
  currentRevision(): number;
  /** Everything superseded at or before this revision has been dropped. */
  compactedRevision(): number;
  /**
   * Iterates over all entries under a prefix as of a revision, in the order that is fastest to read. The caller may pause between steps. An
   * undefined item is a step of work without an entry; a promise is a step to wait for. Throws StoreError during iteration.
   */
  entries(request: { readonly prefix: string; readonly atRevision: number }): DirectEntries;
  /**
   * Iterates over all changes after a revision, up to and including another, oldest first, with steps like those of `entries`. Throws
   * StoreError during iteration.
   */
  changes(range: { readonly after: number; readonly upTo: number }): Iterable<DirectChange | Promise<void> | undefined>;
  /** The value written at a revision, in memory that is valid until the next read; undefined once it is dropped. Throws StoreError. */
  valueAt(revision: number): Uint8Array | undefined;
  /** Reads values into memory before they are needed, without blocking the event loop. Returns undefined if reads do not wait for a disk. */
  prefetch(revisions: readonly number[]): Promise<void> | undefined;
  /** Calls `listener` with the revisions of values that are about to be dropped, while they can still be read. */
  beforeForgetting(listener: (revisions: readonly number[]) => void): void;
}

export interface StoreEntry {
  readonly key: string;
  readonly value: Uint8Array;
  /** Revision of the write that created the key, since its last deletion. */
  readonly createRevision: number;
  readonly modRevision: number;
  /** Set by stores that convert: the stored form of the value is not the one that writes use now. */
  readonly stale?: boolean;
}

export interface RangeRequest {
  /** Only keys that start with this string, which usually ends with a slash. */
  readonly prefix: string;
  /** Only keys greater than this one. */
  readonly startAfter?: string;
  /** At most this many entries. Absent: all entries, which backends fetch in pages. */
  readonly limit?: number;
  /** Reads the state as of this revision. Absent: the current state. */
  readonly atRevision?: number;
  /** Requests `count`. */
  readonly count?: boolean;
}

export interface RangeResult {
  readonly entries: readonly StoreEntry[];
  /** The revision that the entries show: `atRevision` if given. */
  readonly revision: number;
  /** Whether more entries follow the last one. */
  readonly more: boolean;
  /** Number of keys in the range after `startAfter`, regardless of `limit`. Present only if requested. */
  readonly count?: number;
}

export interface PutOptions {
  /** Revision that the key must have; 0: the key must not exist. */
  readonly expected: number;
  /** Time to live. The key is deleted, with an event, some time after this many seconds. */
  readonly ttlSeconds?: number;
}

export interface PutResult {
  readonly revision: number;
  /** Set by stores that convert: the value that a read returns, if it differs from the written one. */
  readonly value?: Uint8Array;
}

export interface WatchRequest {
  readonly prefix: string;
  /** The first revision to report. */
  readonly startRevision: number;
  /** Whether to attach the entry that each change replaced. */
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
  /** The entry before the change. Absent if there was none, if it was not requested, or if it is already compacted. */
  readonly previous?: StoreEntry;
}

/** Receives the events of a watch. Called in order, and never after `failed` or `close`. Its methods must not throw. */
export interface WatchReceiver {
  /** Reports changes under the prefix; changes of the same revision are never split over several calls. The watch is complete up to `revision`. */
  changed(events: readonly StoreEvent[], revision: number): void;
  /** All changes under the prefix up to this revision have been reported. */
  progress(revision: number): void;
  /** The watch has ended and is not resumed. */
  failed(error: Error): void;
}

export interface StoreWatch {
  /** Requests a call of `receiver.progress`. A busy store may not respond: the caller must then request it again. */
  requestProgress(): void;
  close(): void;
}
