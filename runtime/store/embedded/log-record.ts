import type { KeyHead, LogRecord } from "./engine.ts";

/*
 * Records on disk, numbers little-endian, revisions and times as doubles:
 *
 *     log    type u8 | createRevision f64 | previousRevision f64 | time f64 | key length u16 | key | value
 *     head   modRevision f64 | createRevision f64
 */
const LOG_HEADER_BYTES = 27;
const HEAD_BYTES = 16;
const PUT = 1;
const DELETE = 2;

export interface EncodedRecord {
  readonly record: LogRecord;
  readonly log: Buffer;
  /** Undefined for a deletion, which leaves the key without a head. */
  readonly head: Buffer | undefined;
}

/** Encodes the records of one commit side by side into the room that `reserve` gives for all of them. */
export function encodeRecords(records: readonly LogRecord[], reserve: (size: number) => Buffer): EncodedRecord[] {
  const keyLengths = records.map((record) => Buffer.byteLength(record.key));
  const sizes = records.map((record, i) => LOG_HEADER_BYTES + (keyLengths[i] ?? 0) + record.value.length);
  const bytes = reserve(sizes.reduce((sum, size) => sum + size + HEAD_BYTES, 0));
  let offset = 0;
  return records.map((record, i) => {
    const log = bytes.subarray(offset, (offset += sizes[i] ?? 0));
    writeRecord(record, keyLengths[i] ?? 0, log);
    if (record.type === "delete") return { record, log, head: undefined };
    const head = bytes.subarray(offset, (offset += HEAD_BYTES));
    head.writeDoubleLE(record.revision, 0);
    head.writeDoubleLE(record.createRevision, 8);
    return { record, log, head };
  });
}

function writeRecord(record: LogRecord, keyLength: number, bytes: Buffer): void {
  bytes.writeUInt8(record.type === "put" ? PUT : DELETE, 0);
  bytes.writeDoubleLE(record.createRevision, 1);
  bytes.writeDoubleLE(record.previousRevision, 9);
  bytes.writeDoubleLE(record.time, 17);
  bytes.writeUInt16LE(keyLength, 25);
  bytes.write(record.key, LOG_HEADER_BYTES);
  bytes.set(record.value, LOG_HEADER_BYTES + keyLength);
}

/** The value is a view of `bytes`, which must therefore not be reused. */
export function decodeRecord(revision: number, bytes: Buffer): LogRecord {
  const valueStart = LOG_HEADER_BYTES + bytes.readUInt16LE(25);
  return {
    revision,
    type: bytes.readUInt8(0) === PUT ? "put" : "delete",
    createRevision: bytes.readDoubleLE(1),
    previousRevision: bytes.readDoubleLE(9),
    time: bytes.readDoubleLE(17),
    key: bytes.toString("utf8", LOG_HEADER_BYTES, valueStart),
    value: bytes.subarray(valueStart),
  };
}

export function decodeHead(key: string, bytes: Buffer): KeyHead {
  return { key, modRevision: bytes.readDoubleLE(0), createRevision: bytes.readDoubleLE(8) };
}
