import type { DiskUse } from "../../contract/disk-use.ts";
import type { DirectEntry } from "../store.ts";

/**
 * The storage below the embedded store: two ordered tables with transactions.
 *
 *     heads   key      -> location of its present value:     /registry/pods/a -> { modRevision: 7, createRevision: 3 }
 *     log     revision -> the change at that revision:       7 -> { put, key, value, previousRevision: 3 }
 *
 * A value is written once, in the log; superseded records stay there as history until they are compacted away.
 * Reads are synchronous and see only what is durable; `commit` is the one asynchronous step.
 */
export interface Engine {
  /** Random bytes that were generated with the data and never change. */
  readonly identity: Uint8Array;
  /** The last revision that is durable; 1 before the first write. */
  revision(): number;
  /** Records superseded at or before this revision are dropped, or are being dropped. */
  compactedRevision(): number;
  head(key: string): KeyHead | undefined;
  /** Heads of the keys that start with the prefix, greater than `startAfter`, in order. */
  heads(prefix: string, startAfter?: string): Iterable<KeyHead>;
  countKeys(prefix: string, startAfter?: string): number;
  record(revision: number): LogRecord | undefined;
  /** Key and value of the record of a revision. The value is in memory that is valid until the next read. */
  entryAt(revision: number): DirectEntry | undefined;
  /** The value of the record of a revision, in memory that is valid until the next read. */
  valueAt(revision: number): Uint8Array | undefined;
  /** Absent if records are in memory, or will soon be. */
  readonly readAhead?: ReadAhead | undefined;
  /** Records from a revision on, in order. */
  records(fromRevision: number): Iterable<LogRecord>;
  /** Like `records`, without values, which callers that only look for changes need not copy. */
  recordHeaders(fromRevision: number): Iterable<RecordHeader>;
  /** Like `records`, with the fields that compaction needs. Recent records are not read from disk. */
  recordAges(fromRevision: number): Iterable<RecordAge>;
  /** Expiries due at or before a time, oldest first. */
  expiries(dueBy: number): Iterable<Expiry>;
  /** Applies all changes or none. Resolves once they are on disk; rejects with a StoreError. Must not be called again until it has settled. */
  commit(changes: Changes): Promise<void>;
  /** Undefined if nothing is on disk. */
  diskUse(): Promise<DiskUse | undefined>;
  close(): Promise<void>;
}

/** Reads records into memory without blocking the event loop. Its promises never reject. */
export interface ReadAhead {
  /** Returns a list that yields revisions in the order in which their records are read fastest. */
  newList(): RevisionList;
  /** Divides revisions into batches, and starts to read the next batches before they are needed. */
  batches(revisions: Iterable<number>): Iterable<Batch>;
  all(revisions: readonly number[]): Promise<void>;
}

export interface Batch {
  readonly revisions: readonly number[];
  readonly ready: Promise<void>;
}

/** Revisions of records to read. Iterating removes them from the list and yields each once. No step takes long, however many there are. */
export interface RevisionList extends Iterable<number> {
  /** Adds the revision of a key. Calls must be in key order. */
  add(revision: number): void;
  /** Adds the revision of a key that has changed since. The same revision may also be added by `add`, before or after. */
  addSuperseded(revision: number): void;
}

export interface KeyHead {
  readonly key: string;
  readonly modRevision: number;
  readonly createRevision: number;
}

export interface RecordHeader {
  readonly revision: number;
  readonly type: "put" | "delete";
  readonly key: string;
  /** For a put, the revision that created the key; for a deletion 0. */
  readonly createRevision: number;
  /** Revision of the record that this one supersedes; 0 if the key did not exist. */
  readonly previousRevision: number;
  /** Milliseconds since the epoch at which the record was written. */
  readonly time: number;
}

/** The fields of a record that compaction needs. */
export type RecordAge = Pick<RecordHeader, "revision" | "type" | "previousRevision" | "time">;

export interface LogRecord extends RecordHeader {
  readonly value: Uint8Array;
}

/** The key is removed at `time` if it is still at `revision` then. */
export interface Expiry {
  readonly time: number;
  readonly revision: number;
  readonly key: string;
}

export interface Changes {
  readonly records: readonly LogRecord[];
  readonly expiries: readonly Expiry[];
  readonly droppedRecords: readonly number[];
  readonly droppedExpiries: readonly Expiry[];
  /** The new compacted revision, if it changes. */
  readonly compactedRevision?: number;
}
