import { join } from "node:path";
import type { Database, RootDatabase } from "lmdb";
import { DATA_FILE } from "./check-data-file.ts";
import { commitTo, DiskRoom } from "./disk-room.ts";
import type { Expiry, LogRecord } from "./engine.ts";
import { MAP_BYTES } from "./lmdb-engine.ts";
import { loadLmdb } from "./load-lmdb.ts";
import { decodeRecord, sizeBound, writeHead, writeRecord } from "./log-record.ts";
import { TABLE_OF_FORMAT_1 } from "./table-keys.ts";

type Table<Key extends string | number | [number, number]> = Database<Buffer, Key>;

/** Metadata of a file of format 1. */
export interface Format1Meta {
  readonly identity: Uint8Array;
  readonly revision: number;
  readonly compactedRevision: number;
}

/**
 * A data file of format 1. It has four tables: heads, log, expiries (key [time, revision]) and meta. Records and heads are encoded as in
 * format 2. The directory must be locked.
 */
export class Format1File {
  readonly #root: RootDatabase<Buffer, string>;
  readonly #heads: Table<string>;
  readonly #log: Table<number>;
  readonly #expiries: Table<[number, number]>;
  readonly #meta: Table<string>;

  readonly #directory: string;
  #room: DiskRoom | undefined;

  constructor(directory: string) {
    this.#directory = directory;
    this.#root = loadLmdb().open<Buffer, string>({
      path: directory,
      noSubdir: false,
      encoding: "binary",
      mapSize: MAP_BYTES,
    });
    this.#heads = this.#root.openDB<Buffer, string>({ name: "heads", encoding: "binary" });
    this.#log = this.#root.openDB<Buffer, number>({ name: "log", encoding: "binary" });
    this.#expiries = this.#root.openDB<Buffer, [number, number]>({ name: "expiries", encoding: "binary" });
    this.#meta = this.#root.openDB<Buffer, string>({ name: TABLE_OF_FORMAT_1, encoding: "binary" });
  }

  meta(): Format1Meta {
    return {
      identity: this.#meta.get("identity") ?? Buffer.alloc(32),
      revision: this.#meta.get("revision")?.readDoubleLE(0) ?? 1,
      compactedRevision: this.#meta.get("compacted")?.readDoubleLE(0) ?? 0,
    };
  }

  *records(): Iterable<LogRecord> {
    for (const { key, value } of this.#log.getRange()) yield decodeRecord(key, Buffer.from(value));
  }

  *expiries(): Iterable<Expiry> {
    for (const { key, value } of this.#expiries.getRange())
      yield { time: key[0], revision: key[1], key: value.toString() };
  }

  /** Adds records to the log, and updates the heads of their keys. */
  async addRecords(records: readonly LogRecord[]): Promise<void> {
    const bytes = records.reduce((sum, record) => sum + sizeBound(record), 0);
    await this.#commit(bytes, () => {
      for (const record of records) {
        const encoded = Buffer.alloc(sizeBound(record));
        const end = writeRecord(record, encoded, 0);
        this.#log.put(record.revision, encoded.subarray(0, end));
        if (record.type === "delete") this.#heads.remove(record.key);
        else this.#heads.put(record.key, encoded.subarray(end, writeHead(record, encoded, end)));
      }
    });
  }

  /** Adds expiries and metadata, which completes the file. */
  async finish({ identity, revision, compactedRevision }: Format1Meta, expiries: Iterable<Expiry>): Promise<void> {
    await this.#commit(0, () => {
      for (const { time, revision: at, key } of expiries) this.#expiries.put([time, at], Buffer.from(key));
      this.#meta.put("format", double(1));
      this.#meta.put("identity", Buffer.from(identity));
      this.#meta.put("revision", double(revision));
      if (compactedRevision > 0) this.#meta.put("compacted", double(compactedRevision));
    });
  }

  async #commit(bytes: number, write: () => void): Promise<void> {
    this.#room ??= new DiskRoom(join(this.#directory, DATA_FILE));
    await commitTo(this.#room, bytes, () => this.#root.transaction(write));
  }

  async close(): Promise<void> {
    await this.#root.close();
  }
}

function double(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes;
}
