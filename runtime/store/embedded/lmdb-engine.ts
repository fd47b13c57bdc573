import { randomBytes } from "node:crypto";
import { stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import type { RangeOptions, RootDatabase, RootDatabaseOptionsWithPath } from "lmdb";
import type { DiskUse } from "../../contract/disk-use.ts";
import { type AllocateBytes, newByteArena } from "../../lib/byte-arena.ts";
import { NoSpaceError, type StoreError, StoreLostError, UnavailableError, UnknownFormatError } from "../errors.ts";
import { prefixEnd } from "../prefix-end.ts";
import type { DirectEntry } from "../store.ts";
import { DATA_FILE } from "./check-data-file.ts";
import { CommitTimer } from "./commit-timer.ts";
import { DiskRoom } from "./disk-room.ts";
import type { Changes, Engine, Expiry, KeyHead, LogRecord, RecordHeader } from "./engine.ts";
import { type FileReading, memoryBytes, readingOf } from "./file-reading.ts";
import { loadLmdb } from "./load-lmdb.ts";
import {
  decodeHead,
  decodeRecord,
  decodeRecordHeader,
  keyInRecord,
  sizeBound,
  valueInRecord,
  writeHead,
  writeRecord,
} from "./log-record.ts";
import { FileReadAhead } from "./read-ahead.ts";
import {
  COMPACTED,
  expiryKey,
  expiryOf,
  expiryRange,
  FORMAT_KEY,
  headKey,
  headRange,
  IDENTITY,
  keyOfHead,
  LOG_END,
  TABLE_OF_FORMAT_1,
  type TableKey,
} from "./table-keys.ts";

/** Raised when the layout of the tables or of their records changes. */
export const FORMAT = 2;

/** Errors of a full disk: ENOSPC, EDQUOT, EFBIG, MDB_MAP_FULL. */
const NO_SPACE = new Set([28, 122, 27, -30792]);
/** Of a failing disk, but LMDB also reports it for a write that a full disk cut short. */
const EIO = 5;
/** Errors of the system that say nothing about the file: EINTR, EAGAIN, ENOMEM, EMFILE. */
const PASSING = new Set([4, 11, 12, 24]);

const MDB_PANIC = -30795;
/** Errors after which LMDB takes no more writes: MDB_PAGE_NOTFOUND, MDB_CORRUPTED, MDB_PANIC, MDB_INVALID. */
const LOST = new Set([-30797, -30796, MDB_PANIC, -30793]);
const LOST_TEXT = "the data file failed and cannot be used any more";

/**
 * Address space for the file, which costs nothing. LMDB grows a map that is too small by making another, and keeps the
 * pages of each that it has outgrown in memory.
 */
export const MAP_BYTES = 64 * 1024 ** 3;

/** The least room kept for encoding a commit. */
const SCRATCH_BYTES = 256 * 1024;

type Table = RootDatabase<Buffer, TableKey>;

type OnLost = (error: StoreLostError) => void;

/**
 * The embedded store's tables in one LMDB file. With overlapping syncs off, LMDB makes a transaction visible only after
 * its pages and its meta page were synced, in a worker thread: what reads see, and what `commit` announces, is on disk.
 */
export class LmdbEngine implements Engine {
  readonly identity: Uint8Array;
  readonly #table: Table;
  readonly #directory: string;
  /** What is read is soon decoded and dropped, so it may share chunks. */
  readonly #allocate: AllocateBytes = newByteArena();
  readonly #room: DiskRoom;
  readonly #commits = new CommitTimer();
  readonly #onLost: OnLost;
  readonly readAhead: FileReadAhead | undefined;
  #scratch: Buffer = Buffer.alloc(0);
  #revision: number;
  #compacted: number;
  /** Why the file cannot be used any more. */
  #lost: StoreLostError | undefined;

  private constructor(table: Table, identity: Uint8Array, directory: string, reading: FileReading, onLost: OnLost) {
    this.#table = table;
    this.#onLost = onLost;
    this.#directory = directory;
    this.#room = new DiskRoom(join(directory, DATA_FILE));
    this.identity = identity;
    if (reading.isLargerThanMemory) this.readAhead = new FileReadAhead((revisions) => this.#prefetch(revisions));
    this.#compacted = table.get(COMPACTED)?.readDoubleLE(0) ?? 0;
    // Compaction may have dropped the newest record, a deletion's; its revision has been given all the same.
    const [newest] = table.getKeys({ start: LOG_END, end: 0, reverse: true, limit: 1 });
    this.#revision = Math.max(1, this.#compacted, typeof newest === "number" ? newest : 0);
  }

  /**
   * Opens or creates the file in a directory. Throws UnknownFormat for data of another version of this program. `onLost` is
   * called when a read finds the file damaged; a commit that does rejects with the same error. A new file gets `newIdentity`. `memory` is
   * what the machine has.
   */
  static async open(
    directory: string,
    onLost: OnLost = () => undefined,
    newIdentity: Uint8Array = randomBytes(32),
    memory = memoryBytes(),
  ): Promise<LmdbEngine> {
    const reading = readingOf(join(directory, DATA_FILE), memory);
    const options: RootDatabaseOptionsWithPath & { readonly noReadAhead: boolean } = {
      path: directory,
      // Otherwise a directory with a dot in its name is taken for the file itself.
      noSubdir: false,
      encoding: "binary",
      overlappingSync: false,
      eventTurnBatching: false,
      mapSize: MAP_BYTES,
      noReadAhead: reading.noReadAhead,
    };
    const table: Table = loadLmdb().open<Buffer, TableKey>(options);
    const format = formatOf(table);
    if (format !== undefined && format !== FORMAT) {
      await table.close();
      throw wrongFormat(directory, format);
    }
    const identity = table.get(IDENTITY) ?? Buffer.from(newIdentity);
    if (format === undefined) {
      const write = (): void => {
        table.put(FORMAT_KEY, double(FORMAT));
        table.put(IDENTITY, identity);
      };
      await table.batch(write).catch(async (error: unknown) => {
        throw await commitFailure(error);
      });
    }
    return new LmdbEngine(table, identity, directory, reading, onLost);
  }

  revision(): number {
    return this.#revision;
  }

  compactedRevision(): number {
    return this.#compacted;
  }

  head(key: string): KeyHead | undefined {
    const shared = this.#read(headKey(key));
    return shared && decodeHead(key, shared);
  }

  *heads(prefix: string, startAfter?: string): Iterable<KeyHead> {
    for (const { key, value } of this.#readRange(headRange(rangeStart(prefix, startAfter), prefixEnd(prefix)))) {
      const head = decodeHead(keyOfHead(key), value);
      if (head.key !== startAfter) yield head;
    }
  }

  countKeys(prefix: string, startAfter?: string): number {
    const counted = this.#countKeys(headRange(rangeStart(prefix, startAfter), prefixEnd(prefix)));
    return startAfter?.startsWith(prefix) && this.head(startAfter) !== undefined ? counted - 1 : counted;
  }

  record(revision: number): LogRecord | undefined {
    const shared = this.#read(revision);
    if (shared === undefined) return undefined;
    const bytes = this.#allocate(shared.length);
    shared.copy(bytes, 0, 0, shared.length);
    return decodeRecord(revision, bytes);
  }

  entryAt(revision: number): DirectEntry | undefined {
    const shared = this.#read(revision);
    return shared && { key: keyInRecord(shared), value: valueInRecord(shared), modRevision: revision };
  }

  valueAt(revision: number): Uint8Array | undefined {
    const shared = this.#read(revision);
    return shared && valueInRecord(shared);
  }

  async #prefetch(revisions: readonly number[]): Promise<void> {
    if (this.#lost === undefined && revisions.length > 0) await this.#table.prefetch([...revisions]);
  }

  *records(fromRevision: number): Iterable<LogRecord> {
    for (const { key, value } of this.#readRange({ start: fromRevision, end: LOG_END })) {
      yield decodeRecord(key as number, value);
    }
  }

  *recordHeaders(fromRevision: number): Iterable<RecordHeader> {
    for (const revision of this.#readKeys({ start: fromRevision, end: LOG_END })) {
      const shared = this.#read(revision);
      // A step of compaction may have ended since the keys were read.
      if (shared !== undefined) yield decodeRecordHeader(revision as number, shared);
    }
  }

  *expiries(dueBy: number): Iterable<Expiry> {
    for (const { key, value } of this.#readRange(expiryRange(dueBy))) yield expiryOf(key, value);
  }

  async commit(changes: Changes): Promise<void> {
    const table = this.#table;
    if (this.#lost !== undefined) throw this.#lost;
    this.#claimRoom(changes.records);
    const compactedBefore = this.#compacted;
    // Before the records go: they are gone for readers as soon as the file has the commit, a turn or more before this is told of it. A watch
    // that began in between would miss them.
    this.#compacted = changes.compactedRevision ?? this.#compacted;
    try {
      await this.#commits.time(async () => {
        await table.batch(() => this.#write(changes));
      });
    } catch (error) {
      this.#compacted = compactedBefore;
      throw await this.#commitFailed(error);
    }
    this.#revision = changes.records.at(-1)?.revision ?? this.#revision;
    // A process that was killed while it read the file, such as a backup, would keep LMDB from reusing pages for ever.
    if (changes.compactedRevision !== undefined) table.readerCheck();
  }

  async diskUse(): Promise<DiskUse> {
    const [{ size }, { bavail, blocks, bsize }] = await Promise.all([
      stat(join(this.#directory, DATA_FILE)),
      statfs(this.#directory),
    ]);
    const limitBytes = Math.min(MAP_BYTES, this.#room.largestFile);
    const file = { limitBytes, availableBytes: bavail * bsize, diskBytes: blocks * bsize, commits: this.#commits };
    return { sizeBytes: size, file };
  }

  async close(): Promise<void> {
    await this.#table.close();
  }

  /** Within a transaction. */
  #write(changes: Changes): void {
    const table = this.#table;
    this.#putRecords(changes.records);
    for (const expiry of changes.expiries) table.put(expiryKey(expiry), Buffer.from(expiry.key));
    for (const expiry of changes.droppedExpiries) table.remove(expiryKey(expiry));
    for (const revision of changes.droppedRecords) table.remove(revision);
    if (changes.compactedRevision !== undefined) table.put(COMPACTED, double(changes.compactedRevision));
  }

  /**
   * A file that failed when a commit was written or synced is given up, even if the next write might succeed: what the system has dropped
   * after a failed sync, it does not write again. LMDB itself refuses to read after the last step of a commit has failed.
   */
  async #commitFailed(error: unknown): Promise<StoreError> {
    const failure = await commitFailure(error, () => !this.#room.isScarce());
    if (failure instanceof StoreLostError) this.#lost = failure;
    else if (!this.#isReadable()) this.#lost = new StoreLostError(`${LOST_TEXT}: ${messageOf(failure.cause)}`, failure);
    return this.#lost ?? failure;
  }

  /** Whether LMDB still shows what is always there. Ranges are empty instead of failing when it does not. */
  #isReadable(): boolean {
    try {
      this.#table.resetReadTxn();
      return this.#table.get(FORMAT_KEY) !== undefined;
    } catch {
      return false;
    }
  }

  /** The value of a key, in memory that is valid until the next read only. */
  #read(key: TableKey): Buffer | undefined {
    if (this.#lost !== undefined) throw this.#lost;
    try {
      return this.#table.getBinaryFast(key);
    } catch (error) {
      throw this.#readFailure(error);
    }
  }

  *#readRange(range: RangeOptions): Iterable<{ key: TableKey; value: Buffer }> {
    if (this.#lost !== undefined) throw this.#lost;
    let isEmpty = true;
    try {
      for (const entry of this.#table.getRange(range)) {
        isEmpty = false;
        yield entry;
      }
    } catch (error) {
      throw this.#readFailure(error);
    }
    if (isEmpty) this.#checkReadable();
  }

  *#readKeys(range: RangeOptions): Iterable<TableKey> {
    if (this.#lost !== undefined) throw this.#lost;
    let isEmpty = true;
    try {
      for (const key of this.#table.getKeys(range)) {
        isEmpty = false;
        yield key;
      }
    } catch (error) {
      throw this.#readFailure(error);
    }
    if (isEmpty) this.#checkReadable();
  }

  #countKeys(range: RangeOptions): number {
    if (this.#lost !== undefined) throw this.#lost;
    let count: number;
    try {
      count = this.#table.getKeysCount(range);
    } catch (error) {
      throw this.#readFailure(error);
    }
    if (count === 0) this.#checkReadable();
    return count;
  }

  /** A range may be empty because the commit that is under way has just failed. */
  #checkReadable(): void {
    if (this.#read(FORMAT_KEY) === undefined)
      throw this.#readFailure(Object.assign(new Error("it cannot be read"), { code: MDB_PANIC }));
  }

  /** A tree of pages that is broken for one key is not written to any more: that would break others. */
  #readFailure(error: unknown): unknown {
    const failure = lossOf(error);
    if (failure === undefined) return error;
    this.#lost ??= failure;
    this.#onLost(this.#lost);
    return this.#lost;
  }

  /** What is deleted makes room in the end. */
  #claimRoom(records: readonly LogRecord[]): void {
    let bytes = 0;
    for (const record of records) if (record.type !== "delete") bytes += sizeBound(record);
    if (bytes > 0) this.#room.claim(bytes);
  }

  /**
   * Records are encoded side by side into one piece of memory. One commit is under way at a time, and LMDB has copied
   * everything when it ends: the memory is used again for the next.
   */
  #putRecords(records: readonly LogRecord[]): void {
    let size = 0;
    for (const record of records) size += sizeBound(record);
    const scratch = this.#reserveScratch(size);
    let end = 0;
    for (const record of records) {
      let start = end;
      end = writeRecord(record, scratch, start);
      this.#table.put(record.revision, scratch.subarray(start, end));
      if (record.type === "delete") {
        this.#table.remove(headKey(record.key));
        continue;
      }
      start = end;
      end = writeHead(record, scratch, start);
      this.#table.put(headKey(record.key), scratch.subarray(start, end));
    }
  }

  #reserveScratch(size: number): Buffer {
    const unfit = size > this.#scratch.length || this.#scratch.length > 64 * Math.max(size, SCRATCH_BYTES);
    if (unfit) this.#scratch = Buffer.allocUnsafeSlow(Math.max(size, SCRATCH_BYTES));
    return this.#scratch;
  }
}

/** The format of the data in a file; undefined when there is none yet. */
export function formatOf(table: Table): number | undefined {
  const format = table.get(FORMAT_KEY)?.readDoubleLE(0);
  if (format !== undefined) return format;
  const [found] = table.getKeys({ start: TABLE_OF_FORMAT_1, limit: 1 });
  return found === TABLE_OF_FORMAT_1 ? 1 : undefined;
}

/** Data of another version of this program, with the way out. */
export function wrongFormat(directory: string, found: number | undefined): UnknownFormatError {
  const wayOut =
    found === undefined
      ? "it was never completed: delete it"
      : found > FORMAT
        ? "run the version that wrote it, or its typeplane downgrade-storage, or restore a backup, which all versions read"
        : "start a server on it once, which upgrades it and keeps the old file";
  const format = found === undefined ? "no format yet" : `format ${found}`;
  return new UnknownFormatError(
    `the data in ${directory} has ${format}; this version reads format ${FORMAT}: ${wayOut}`,
    found,
  );
}

function rangeStart(prefix: string, startAfter: string | undefined): string {
  return startAfter !== undefined && startAfter > prefix ? startAfter : prefix;
}

function double(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(8);
  bytes.writeDoubleLE(value);
  return bytes;
}

/** The error of a file that cannot be used any more; undefined for any other. */
function lossOf(cause: unknown): StoreLostError | undefined {
  const { code, message } = cause as { code?: number; message?: string };
  if (code === undefined) return undefined;
  // LMDB's own error, told as EINVAL.
  const isPanic = message?.includes("MDB_PANIC") === true;
  return LOST.has(code) || isPanic ? new StoreLostError(`${LOST_TEXT}: ${message}`, { cause }) : undefined;
}

/**
 * LMDB rejects with a general error whose `commitError` promise holds the reason. Errors of the system are those of a full disk, or of one
 * that fails; `hasRoom` tells apart those that may be both.
 */
export async function commitFailure(error: unknown, hasRoom: () => boolean = () => false): Promise<StoreError> {
  const commitError = (error as { commitError?: Promise<unknown> }).commitError;
  const cause = commitError === undefined ? error : await commitError.catch((reason: unknown) => reason);
  const { code, message } = cause as { code?: number; message?: string };
  if (code !== undefined && (NO_SPACE.has(code) || (code === EIO && !hasRoom()))) {
    return new NoSpaceError(`no space left in the data directory: ${message}`, { cause });
  }
  const lost = lossOf(cause);
  if (lost !== undefined) return lost;
  if (code !== undefined && code > 0 && !PASSING.has(code))
    return new StoreLostError(`${LOST_TEXT}: ${message}`, { cause });
  return new UnavailableError(`the data file could not be written: ${message}`, { cause });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
