import type { DiskUse } from "../../contract/disk-use.ts";
import type { DirectEntry } from "../store.ts";

/**
 * What the embedded store needs underneath: an ordered, transactional place for two tables.
 *
 *     heads   key      -> where the key's present value is:  /registry/pods/a -> { modRevision: 7, createRevision: 3 }
 *     log     revision -> what happened then:                7 -> { put, key, value, previousRevision: 3 }
 *
 * A value is written once, in the log; superseded records stay there as history until they are compacted away.
 * Reads are synchronous and see only what is durable; `commit` is the one asynchronous step.
 */
export interface Engine {
  /** Random bytes made with the data, the same as long as the data lives. */
  readonly identity: Uint8Array;
  /** The last revision that is durable; 1 before the first write. */
  revision(): number;
  /** Everything superseded at or before this revision is, or is being, forgotten. */
  compactedRevision(): number;
  head(key: string): KeyHead | undefined;
  /** Heads of the keys that start with the prefix, greater than `startAfter`, in order. */
  heads(prefix: string, startAfter?: string): Iterable<KeyHead>;
  countKeys(prefix: string, startAfter?: string): number;
  record(revision: number): LogRecord | undefined;
  /** Key and value of the record of a revision. The value is in memory that is valid until the next read. */
  entryAt(revision: number): DirectEntry | undefined;
  /** The value alone. */
  valueAt(revision: number): Uint8Array | undefined;
  /** Absent where records are in memory, or soon will be. */
  readonly readAhead?: ReadAhead | undefined;
  /** Records from a revision on, in order. */
  records(fromRevision: number): Iterable<LogRecord>;
  /** The same without what was written, which need not be copied for those that only look for changes. */
  recordHeaders(fromRevision: number): Iterable<RecordHeader>;
  /** The same without keys, for compaction; recent records are not read for it. */
  recordAges(fromRevision: number): Iterable<RecordAge>;
  /** Expiries due at or before a time, oldest first. */
  expiries(dueBy: number): Iterable<Expiry>;
  /**
   * Applies all changes or none. Resolves once they are on disk; rejects with a StoreError. Not called again before it
   * has settled.
   */
  commit(changes: Changes): Promise<void>;
  /** Undefined where nothing is on disk. */
  diskUse(): Promise<DiskUse | undefined>;
  close(): Promise<void>;
}

/** Reads records into memory without holding up the event loop. Its promises never reject. */
export interface ReadAhead {
  /** Yields revisions in the order in which their records are read fastest. */
  newList(): RevisionList;
  /** Divides revisions into batches, and has the next ones read before they are needed. */
  batches(revisions: Iterable<number>): Iterable<Batch>;
  all(revisions: readonly number[]): Promise<void>;
}

export interface Batch {
  readonly revisions: readonly number[];
  readonly ready: Promise<void>;
}

/** Revisions of records that are to be read. Iterating takes them out, each once. No step takes long, however many they are. */
export interface RevisionList extends Iterable<number> {
  /** The revision of a key, in key order. */
  add(revision: number): void;
  /** The revision of a key that has changed since: it may be, or have been, added as well. */
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
  /** Revision of the record this one supersedes; 0 when the key did not exist. */
  readonly previousRevision: number;
  /** Milliseconds since the epoch at which it was written. */
  readonly time: number;
}

/** What compaction has to know of a record. */
export type RecordAge = Pick<RecordHeader, "revision" | "type" | "previousRevision" | "time">;

export interface LogRecord extends RecordHeader {
  readonly value: Uint8Array;
}

/** The key goes away at `time` if it is still at `revision` then. */
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
  /** The new compacted revision, when it moves. */
  readonly compactedRevision?: number;
}
