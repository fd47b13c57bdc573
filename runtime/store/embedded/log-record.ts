import type { KeyHead, LogRecord, RecordHeader } from "./engine.ts";

/*
 * Records on disk, numbers little-endian, revisions and times as doubles:
 *
 *     log    type u8 | createRevision f64 | previousRevision f64 | time f64 | key length u16 | key | value
 *     head   modRevision f64 | createRevision f64
 */
export const LOG_HEADER_BYTES = 27;
const HEAD_BYTES = 16;
const PUT = 1;
const DELETE = 2;

/** Upper bound for the encoded size of a record and its head, computed without encoding the key. */
export function sizeBound({ key, value }: LogRecord): number {
  return LOG_HEADER_BYTES + key.length * 3 + value.length + HEAD_BYTES;
}

/** Writes the record at an offset. Returns the offset at which it ends. */
export function writeRecord(record: LogRecord, bytes: Buffer, offset: number): number {
  const keyStart = offset + LOG_HEADER_BYTES;
  const keyLength = bytes.write(record.key, keyStart);
  bytes[offset] = record.type === "put" ? PUT : DELETE;
  bytes.writeDoubleLE(record.createRevision, offset + 1);
  bytes.writeDoubleLE(record.previousRevision, offset + 9);
  bytes.writeDoubleLE(record.time, offset + 17);
  bytes.writeUInt16LE(keyLength, offset + 25);
  bytes.set(record.value, keyStart + keyLength);
  return keyStart + keyLength + record.value.length;
}

/** The value is a view of `bytes`, so `bytes` must not be reused. */
export function decodeRecord(revision: number, bytes: Buffer): LogRecord {
  return { ...decodeRecordHeader(revision, bytes), value: bytes.subarray(valueStart(bytes)) };
}

/** The value in `bytes`, as a view. Uses the length of `bytes`, because the memory behind it may be longer. */
export function valueInRecord(bytes: Buffer): Buffer {
  return bytes.subarray(valueStart(bytes), bytes.length);
}

export function keyInRecord(bytes: Buffer): string {
  return bytes.toString("utf8", LOG_HEADER_BYTES, valueStart(bytes));
}

function valueStart(bytes: Buffer): number {
  return LOG_HEADER_BYTES + bytes.readUInt16LE(25);
}

/** The result does not refer to `bytes`. */
export function decodeRecordHeader(revision: number, bytes: Buffer): RecordHeader {
  return {
    revision,
    type: bytes.readUInt8(0) === PUT ? "put" : "delete",
    createRevision: bytes.readDoubleLE(1),
    previousRevision: bytes.readDoubleLE(9),
    time: bytes.readDoubleLE(17),
    key: keyInRecord(bytes),
  };
}

/** Writes the head that a put gives its key. Returns the offset at which it ends. */
export function writeHead(record: LogRecord, bytes: Buffer, offset: number): number {
  bytes.writeDoubleLE(record.revision, offset);
  bytes.writeDoubleLE(record.createRevision, offset + 8);
  return offset + HEAD_BYTES;
}

export function decodeHead(key: string, bytes: Buffer): KeyHead {
  return { key, modRevision: bytes.readDoubleLE(0), createRevision: bytes.readDoubleLE(8) };
}
