import { statSync } from "node:fs";
import { join } from "node:path";
import type { Transaction } from "lmdb";
import { StoreError, UnavailableError } from "../errors.ts";
import { checkDataFile, DATA_FILE, hasDataFile } from "./check-data-file.ts";
import { claimReaderFile } from "./claim-files.ts";
import { FORMAT, formatOf, wrongFormat } from "./data-format.ts";
import { inUse, lockOwner } from "./directory-lock.ts";
import type { Expiry, KeyHead, LogRecord, RecordHeader } from "./engine.ts";
import { MAP_BYTES } from "./lmdb-engine.ts";
import { loadLmdb } from "./load-lmdb.ts";
import { decodeHead, decodeRecord, decodeRecordHeader } from "./log-record.ts";
import {
  COMPACTED,
  expiryOf,
  expiryRange,
  headRange,
  IDENTITY,
  keyOfHead,
  LOG_END,
  type Table,
  type TableKey,
} from "./table-keys.ts";

/** Statistics that LMDB reports about a data file. */
interface FileStats {
  readonly lastPageNumber: number;
  readonly root: TreeStats;
  /** The tree that lists the free pages. */
  readonly free: TreeStats;
}

/** `getBinaryFast` accepts the same options as `get`, but its type in LMDB's package does not declare them. */
interface SharedReads {
  /** Returns memory that is valid until the next read. */
  getBinaryFast(key: TableKey, options?: { transaction: Transaction }): Buffer | undefined;
}

interface TreeStats {
  readonly pageSize: number;
  readonly treeBranchPageCount: number;
  readonly treeLeafPageCount: number;
  readonly overflowPages: number;
}

const META_PAGES = 2;

/** The data file of a directory, as it was when it was opened. */
interface OpenedFile {
  readonly directory: string;
  readonly inode: number | undefined;
}

function inodeOf(directory: string): number | undefined {
  return statSync(join(directory, DATA_FILE), { throwIfNoEntry: false })?.ino;
}

function pagesOf({ treeBranchPageCount, treeLeafPageCount, overflowPages }: TreeStats): number {
  return treeBranchPageCount + treeLeafPageCount + overflowPages;
}

/**
 * A read-only view of a data file as of one revision, history included. It reads in one LMDB transaction, so a server may continue to write
 * to the file, in this process or another. Pages that the transaction sees are not reused until it is closed: the file grows meanwhile.
 */
export class DataFileView {
  readonly identity: Uint8Array;
  readonly revision: number;
  readonly compactedRevision: number;
  readonly #table: Table;
  readonly #transaction: Transaction;
  readonly #opened: OpenedFile;

  private constructor(table: Table, transaction: Transaction, opened: OpenedFile) {
    this.#table = table;
    this.#transaction = transaction;
    this.#opened = opened;
    this.identity = Buffer.from(table.get(IDENTITY, { transaction }) ?? []);
    this.compactedRevision = table.get(COMPACTED, { transaction })?.readDoubleLE(0) ?? 0;
    const [newest] = table.getKeys({ start: LOG_END, end: 0, reverse: true, limit: 1, transaction });
    this.revision = Math.max(1, this.compactedRevision, typeof newest === "number" ? newest : 0);
  }

  /**
   * Throws UnknownFormat, Corrupt if there is no data file or it is damaged, and Locked while a process in another container uses it: LMDB
   * identifies its readers by pid, and another container may use the same pids.
   */
  static async open(directory: string): Promise<DataFileView> {
    if (!hasDataFile(directory))
      throw new StoreError("Corrupt", `there is no ${DATA_FILE} in the directory ${directory}`);
    const owner = await lockOwner(directory);
    if (owner?.isElsewhere === true)
      throw new StoreError("Locked", `${inUse(directory, owner)}: run this command in that container`);
    checkDataFile(directory);
    claimReaderFile(directory);
    const opened = { directory, inode: inodeOf(directory) };
    const table = loadLmdb().open<Buffer, TableKey>({
      path: directory,
      noSubdir: false,
      encoding: "binary",
      readOnly: true,
      mapSize: MAP_BYTES,
    });
    const transaction = table.useReadTransaction();
    const format = formatOf(table);
    if (format === FORMAT) return new DataFileView(table, transaction, opened);
    transaction.done();
    await table.close();
    throw wrongFormat(directory, format);
  }

  /** Number of pages in the file, and how many of them are free. */
  pages(): { readonly pageBytes: number; readonly total: number; readonly free: number } {
    const { lastPageNumber, root, free } = this.#table.getStats() as FileStats;
    const total = lastPageNumber + 1;
    const used = META_PAGES + pagesOf(root) + pagesOf(free);
    return { pageBytes: root.pageSize, total, free: Math.max(0, total - used) };
  }

  *records(): Iterable<LogRecord> {
    for (const { key, value } of this.#range({ start: 0, end: LOG_END })) yield decodeRecord(key as number, value);
  }

  /** Like `records`, without values, which are not copied. */
  *recordHeaders(): Iterable<RecordHeader> {
    const transaction = this.#transaction;
    const table: SharedReads = this.#table;
    for (const revision of this.#table.getKeys({ start: 0, end: LOG_END, transaction })) {
      const shared = table.getBinaryFast(revision, { transaction });
      if (shared !== undefined) yield decodeRecordHeader(revision as number, shared);
    }
  }

  record(revision: number): LogRecord | undefined {
    const bytes = this.#table.get(revision, { transaction: this.#transaction });
    return bytes && decodeRecord(revision, bytes);
  }

  *heads(): Iterable<KeyHead> {
    for (const { key, value } of this.#range(headRange("", "\u{10ffff}"))) yield decodeHead(keyOfHead(key), value);
  }

  *expiries(): Iterable<Expiry> {
    for (const { key, value } of this.#range(expiryRange(Number.MAX_SAFE_INTEGER - 1))) yield expiryOf(key, value);
  }

  /**
   * Throws Unavailable if another file has replaced this one: `scrub-storage` then overwrites the old file, and the data read may have been
   * zeroes.
   */
  checkInPlace(): void {
    const { directory, inode } = this.#opened;
    if (inodeOf(directory) !== inode)
      throw new UnavailableError(`the data file in ${directory} was replaced while it was read: run the command again`);
  }

  /** Throws like `checkInPlace`. */
  async close(): Promise<void> {
    this.#transaction.done();
    await this.#table.close();
    this.checkInPlace();
  }

  #range(range: { start: TableKey; end: TableKey }): Iterable<{ key: TableKey; value: Buffer }> {
    return this.#table.getRange({ ...range, transaction: this.#transaction });
  }
}
