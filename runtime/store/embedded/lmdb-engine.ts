import { randomBytes } from "node:crypto";
import { stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import type { RootDatabaseOptionsWithPath } from "lmdb";
import type { DiskUse } from "../../contract/disk-use.ts";
import { type AllocateBytes, newByteArena } from "../../lib/byte-arena.ts";
import { type StoreError, StoreLostError } from "../errors.ts";
import { prefixEnd } from "../prefix-end.ts";
import type { DirectEntry } from "../store.ts";
import { DATA_FILE } from "./check-data-file.ts";
import { CommitTimer } from "./commit-timer.ts";
import { FORMAT, formatOf, wrongFormat } from "./data-format.ts";
import { DiskRoom } from "./disk-room.ts";
import type { Changes, Engine, Expiry, KeyHead, LogRecord, RecordAge, RecordHeader } from "./engine.ts";
import { type FileReading, memoryBytes, readingOf } from "./file-reading.ts";
import { GuardedTable, type OnLost } from "./guarded-table.ts";
import { commitFailure, lossAfter } from "./lmdb-errors.ts";
import { loadLmdb } from "./load-lmdb.ts";
import { decodeHead, decodeRecord, decodeRecordHeader, keyInRecord, sizeBound, valueInRecord } from "./log-record.ts";
import { FileReadAhead } from "./read-ahead.ts";
import { RecentRecords } from "./recent-records.ts";
import { RecordWriter } from "./record-writer.ts";
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
  type Table,
  type TableKey,
} from "./table-keys.ts";

/**
 * Address space reserved for the file, which costs no memory. If a map is too small, LMDB adds a larger one and keeps the pages of the
 * outgrown ones in memory.
 */
export const MAP_BYTES = 64 * 1024 ** 3;

/**
 * The embedded store's tables in one LMDB file. With overlapping syncs off, LMDB makes a transaction visible only after a worker thread has
 * synced its pages and its meta page: whatever reads return and `commit` reports is on disk.
 */
export class LmdbEngine implements Engine {
  readonly identity: Uint8Array;
  readonly #table: Table;
  readonly #reads: GuardedTable;
  readonly #writer: RecordWriter;
  readonly #directory: string;
  /** Values read are soon decoded and released, so they may share memory chunks. */
  readonly #allocate: AllocateBytes = newByteArena();
  readonly #room: DiskRoom;
  readonly #recent = new RecentRecords();
  readonly #commits = new CommitTimer();
  readonly readAhead: FileReadAhead | undefined;
  #revision: number;
  #compacted: number;

  private constructor(table: Table, identity: Uint8Array, directory: string, reading: FileReading, onLost: OnLost) {
    this.#table = table;
    this.#reads = new GuardedTable(table, onLost);
    this.#writer = new RecordWriter(table);
    this.#directory = directory;
    this.#room = new DiskRoom(join(directory, DATA_FILE));
    this.identity = identity;
    if (reading.isLargerThanMemory) this.readAhead = new FileReadAhead((revisions) => this.#prefetch(revisions));
    this.#compacted = table.get(COMPACTED)?.readDoubleLE(0) ?? 0;
    // Compaction may have dropped the newest record, if that was a deletion. Its revision must still not be used again.
    const [newest] = table.getKeys({ start: LOG_END, end: 0, reverse: true, limit: 1 });
    this.#revision = Math.max(1, this.#compacted, typeof newest === "number" ? newest : 0);
  }

  /**
   * Opens or creates the file in a directory. Throws UnknownFormat for data of another version of this program. `onLost` is called when a
   * read finds the file damaged; a commit that finds this rejects with the same error. A new file gets `newIdentity`. `memory` is the
   * memory of the machine in bytes.
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
      // Otherwise LMDB takes a directory with a dot in its name for the data file.
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
    const shared = this.#reads.get(headKey(key));
    return shared && decodeHead(key, shared);
  }

  *heads(prefix: string, startAfter?: string): Iterable<KeyHead> {
    for (const { key, value } of this.#reads.range(headRange(rangeStart(prefix, startAfter), prefixEnd(prefix)))) {
      const head = decodeHead(keyOfHead(key), value);
      if (head.key !== startAfter) yield head;
    }
  }

  countKeys(prefix: string, startAfter?: string): number {
    const counted = this.#reads.count(headRange(rangeStart(prefix, startAfter), prefixEnd(prefix)));
    return startAfter?.startsWith(prefix) && this.head(startAfter) !== undefined ? counted - 1 : counted;
  }

  record(revision: number): LogRecord | undefined {
    const shared = this.#reads.get(revision);
    if (shared === undefined) return undefined;
    const bytes = this.#allocate(shared.length);
    shared.copy(bytes, 0, 0, shared.length);
    return decodeRecord(revision, bytes);
  }

  entryAt(revision: number): DirectEntry | undefined {
    const shared = this.#reads.get(revision);
    return shared && { key: keyInRecord(shared), value: valueInRecord(shared), modRevision: revision };
  }

  valueAt(revision: number): Uint8Array | undefined {
    const shared = this.#reads.get(revision);
    return shared && valueInRecord(shared);
  }

  async #prefetch(revisions: readonly number[]): Promise<void> {
    if (this.#reads.lost === undefined && revisions.length > 0) await this.#table.prefetch([...revisions]);
  }

  *records(fromRevision: number): Iterable<LogRecord> {
    for (const { key, value } of this.#reads.range({ start: fromRevision, end: LOG_END })) {
      yield decodeRecord(key as number, value);
    }
  }

  *recordHeaders(fromRevision: number): Iterable<RecordHeader> {
    for (const revision of this.#reads.keys({ start: fromRevision, end: LOG_END })) {
      const shared = this.#reads.get(revision);
      // A compaction step may have dropped the record after the keys were read.
      if (shared !== undefined) yield decodeRecordHeader(revision as number, shared);
    }
  }

  *recordAges(fromRevision: number): Iterable<RecordAge> {
    const { firstRevision } = this.#recent;
    if (fromRevision < firstRevision) {
      for (const header of this.recordHeaders(fromRevision)) {
        if (header.revision >= firstRevision) break;
        yield header;
      }
    }
    yield* this.#recent.from(fromRevision);
  }

  *expiries(dueBy: number): Iterable<Expiry> {
    for (const { key, value } of this.#reads.range(expiryRange(dueBy))) yield expiryOf(key, value);
  }

  async commit(changes: Changes): Promise<void> {
    const table = this.#table;
    if (this.#reads.lost !== undefined) throw this.#reads.lost;
    this.#claimRoom(changes.records);
    const compactedBefore = this.#compacted;
    // Set before the records are dropped. Readers no longer find them as soon as the file contains the commit, which is at least one turn
    // of the event loop before this code continues. A watch that started in between would miss them.
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
    this.#recent.note(changes.records);
    this.#recent.forgetUpTo(this.#compacted);
    // A process that was killed while it read the file, such as a backup, would keep LMDB from reusing pages forever.
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

  /** Runs within a transaction. */
  #write(changes: Changes): void {
    const table = this.#table;
    this.#writer.put(changes.records);
    for (const expiry of changes.expiries) table.put(expiryKey(expiry), Buffer.from(expiry.key));
    for (const expiry of changes.droppedExpiries) table.remove(expiryKey(expiry));
    for (const revision of changes.droppedRecords) table.remove(revision);
    if (changes.compactedRevision !== undefined) table.put(COMPACTED, double(changes.compactedRevision));
  }

  /**
   * Returns the error of a failed commit. A file that fails while a commit is written or synced becomes unusable, even if the next write
   * might succeed: after a failed sync, the operating system does not write again the pages that it has dropped. LMDB itself refuses reads
   * after the last step of a commit has failed.
   */
  async #commitFailed(error: unknown): Promise<StoreError> {
    const failure = await commitFailure(error, () => !this.#room.isScarce());
    if (failure instanceof StoreLostError) this.#reads.giveUp(failure);
    else if (!this.#reads.isReadable()) this.#reads.giveUp(lossAfter(failure));
    return this.#reads.lost ?? failure;
  }

  /** Claims disk space. Deletions claim none: they free space later. */
  #claimRoom(records: readonly LogRecord[]): void {
    let bytes = 0;
    for (const record of records) if (record.type !== "delete") bytes += sizeBound(record);
    if (bytes > 0) this.#room.claim(bytes);
  }
}

function rangeStart(prefix: string, startAfter: string | undefined): string {
  return startAfter !== undefined && startAfter > prefix ? startAfter : prefix;
}

function double(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(8);
  bytes.writeDoubleLE(value);
  return bytes;
}
