import { randomBytes } from "node:crypto";
import { type Database, open, type RootDatabase } from "lmdb";
import { type AllocateBytes, newByteArena } from "../../lib/byte-arena.ts";
import { prefixEnd } from "../../lib/prefix-end.ts";
import { NoSpaceError, StoreError, UnavailableError } from "../errors.ts";
import type { Changes, Engine, Expiry, KeyHead, LogRecord } from "./engine.ts";
import { decodeHead, decodeRecord, sizeBound, writeHead, writeRecord } from "./log-record.ts";

/** Raised when the layout of the tables or of their records changes. */
const FORMAT = 1;

/** Errors of a full disk: ENOSPC, EDQUOT, EFBIG, MDB_MAP_FULL, and EIO, which LMDB reports for a write cut short. */
const NO_SPACE = new Set([28, 122, 27, -30792, 5]);

/** The least room kept for encoding a commit. */
const SCRATCH_BYTES = 256 * 1024;

type Bytes = Buffer;

/**
 * The embedded store's tables in one LMDB file. With overlapping syncs off, LMDB makes a transaction visible only after
 * its pages and its meta page were synced, in a worker thread: what reads see, and what `commit` announces, is on disk.
 */
export class LmdbEngine implements Engine {
  readonly identity: Uint8Array;
  #scratch: Buffer = Buffer.alloc(0);
  /** What is read is soon decoded and dropped, so it may share chunks. */
  readonly #allocate: AllocateBytes = newByteArena();
  readonly #root: RootDatabase<Bytes, string>;
  readonly #heads: Database<Bytes, string>;
  readonly #log: Database<Bytes, number>;
  readonly #expiries: Database<Bytes, [number, number]>;
  readonly #meta: Database<Bytes, string>;

  private constructor(root: RootDatabase<Bytes, string>, identity?: Uint8Array) {
    this.#root = root;
    this.#heads = root.openDB<Bytes, string>({ name: "heads", encoding: "binary" });
    this.#log = root.openDB<Bytes, number>({ name: "log", encoding: "binary" });
    this.#expiries = root.openDB<Bytes, [number, number]>({ name: "expiries", encoding: "binary" });
    this.#meta = root.openDB<Bytes, string>({ name: "meta", encoding: "binary" });
    this.identity = identity ?? this.#meta.get("identity") ?? new Uint8Array();
  }

  /** Opens or creates the file in a directory. Throws NewerFormat for data of a later version of this program. */
  static async open(directory: string): Promise<LmdbEngine> {
    const root = open<Bytes, string>({
      path: directory,
      encoding: "binary",
      overlappingSync: false,
      eventTurnBatching: false,
    });
    const engine = new LmdbEngine(root);
    const format = engine.#meta.get("format");
    if (format === undefined) return LmdbEngine.#initialise(engine);
    const found = format.readDoubleLE(0);
    if (found <= FORMAT) return engine;
    await root.close();
    throw new StoreError(
      "NewerFormat",
      `the data in ${directory} has format ${found}; this version reads formats up to ${FORMAT}`,
    );
  }

  static async #initialise(engine: LmdbEngine): Promise<LmdbEngine> {
    const identity = randomBytes(32);
    await engine.#transact(() => {
      engine.#meta.put("format", double(FORMAT));
      engine.#meta.put("identity", identity);
      engine.#meta.put("revision", double(1));
    });
    return new LmdbEngine(engine.#root, identity);
  }

  revision(): number {
    return this.#meta.get("revision")?.readDoubleLE(0) ?? 1;
  }

  compactedRevision(): number {
    return this.#meta.get("compacted")?.readDoubleLE(0) ?? 0;
  }

  head(key: string): KeyHead | undefined {
    const bytes = this.#heads.get(key);
    return bytes && decodeHead(key, bytes);
  }

  *heads(prefix: string, startAfter?: string): Iterable<KeyHead> {
    for (const { key, value } of this.#heads.getRange(rangeOf(prefix, startAfter))) {
      if (key !== startAfter) yield decodeHead(key, value);
    }
  }

  countKeys(prefix: string, startAfter?: string): number {
    const counted = this.#heads.getKeysCount(rangeOf(prefix, startAfter));
    return startAfter?.startsWith(prefix) && this.#heads.get(startAfter) !== undefined ? counted - 1 : counted;
  }

  record(revision: number): LogRecord | undefined {
    const shared = this.#log.getBinaryFast(revision); // valid until the next read only
    if (shared === undefined) return undefined;
    const bytes = this.#allocate(shared.length);
    shared.copy(bytes, 0, 0, shared.length);
    return decodeRecord(revision, bytes);
  }

  *records(fromRevision: number): Iterable<LogRecord> {
    for (const { key, value } of this.#log.getRange({ start: fromRevision })) yield decodeRecord(key, value);
  }

  *expiries(dueBy: number): Iterable<Expiry> {
    for (const { key, value } of this.#expiries.getRange({ end: [dueBy, Number.MAX_SAFE_INTEGER] })) {
      yield { time: key[0], revision: key[1], key: value.toString() };
    }
  }

  commit(changes: Changes): Promise<void> {
    return this.#transact(() => {
      this.#putRecords(changes.records);
      for (const expiry of changes.expiries)
        this.#expiries.put([expiry.time, expiry.revision], Buffer.from(expiry.key));
      for (const expiry of changes.droppedExpiries) this.#expiries.remove([expiry.time, expiry.revision]);
      for (const revision of changes.droppedRecords) this.#log.remove(revision);
      const last = changes.records.at(-1);
      if (last !== undefined) this.#meta.put("revision", double(last.revision));
      if (changes.compactedRevision !== undefined) this.#meta.put("compacted", double(changes.compactedRevision));
    });
  }

  async close(): Promise<void> {
    await this.#root.close();
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
      this.#log.put(record.revision, scratch.subarray(start, end));
      if (record.type === "delete") {
        this.#heads.remove(record.key);
        continue;
      }
      start = end;
      end = writeHead(record, scratch, start);
      this.#heads.put(record.key, scratch.subarray(start, end));
    }
  }

  #reserveScratch(size: number): Buffer {
    const unfit = size > this.#scratch.length || this.#scratch.length > 64 * Math.max(size, SCRATCH_BYTES);
    if (unfit) this.#scratch = Buffer.allocUnsafeSlow(Math.max(size, SCRATCH_BYTES));
    return this.#scratch;
  }

  async #transact(write: () => void): Promise<void> {
    try {
      await this.#root.batch(write);
    } catch (error) {
      throw await commitFailure(error);
    }
  }
}

function rangeOf(prefix: string, startAfter: string | undefined): { start: string; end: string } {
  return { start: startAfter !== undefined && startAfter > prefix ? startAfter : prefix, end: prefixEnd(prefix) };
}

function double(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(8);
  bytes.writeDoubleLE(value);
  return bytes;
}

/** LMDB rejects with a general error whose `commitError` promise holds the reason. */
async function commitFailure(error: unknown): Promise<StoreError> {
  const commitError = (error as { commitError?: Promise<unknown> }).commitError;
  const cause = commitError === undefined ? error : await commitError.catch((reason: unknown) => reason);
  const { code, message } = cause as { code?: number; message?: string };
  if (code !== undefined && NO_SPACE.has(code)) {
    return new NoSpaceError(`the data directory cannot take more data: ${message}`, { cause });
  }
  return new UnavailableError(`the data file could not be written: ${message}`, { cause });
}
