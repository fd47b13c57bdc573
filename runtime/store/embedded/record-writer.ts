import type { LogRecord } from "./engine.ts";
import { sizeBound, writeHead, writeRecord } from "./log-record.ts";
import { headKey, type Table } from "./table-keys.ts";

/** Smallest buffer for encoding a commit. */
const SCRATCH_BYTES = 256 * 1024;

/** Writes log records and the heads of their keys into a table. */
export class RecordWriter {
  readonly #table: Table;
  #scratch: Buffer = Buffer.alloc(0);

  constructor(table: Table) {
    this.#table = table;
  }

  /**
   * Encodes all records into one buffer. Only one commit runs at a time, and LMDB has copied everything when it ends, so the next commit
   * reuses the buffer.
   */
  put(records: readonly LogRecord[]): void {
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
