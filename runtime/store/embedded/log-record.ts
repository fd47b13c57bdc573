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

export function encodeRecord(record: LogRecord): Buffer {
  const keyLength = Buffer.byteLength(record.key);
  const valueStart = LOG_HEADER_BYTES + keyLength;
  const bytes = Buffer.allocUnsafeSlow(valueStart + record.value.length);
  bytes.writeUInt8(record.type === "put" ? PUT : DELETE, 0);
  bytes.writeDoubleLE(record.createRevision, 1);
  bytes.writeDoubleLE(record.previousRevision, 9);
  bytes.writeDoubleLE(record.time, 17);
  bytes.writeUInt16LE(keyLength, 25);
  bytes.write(record.key, LOG_HEADER_BYTES);
  bytes.set(record.value, valueStart);
  return bytes;
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

export function encodeHead(modRevision: number, createRevision: number): Buffer {
  const bytes = Buffer.allocUnsafe(HEAD_BYTES);
  bytes.writeDoubleLE(modRevision, 0);
  bytes.writeDoubleLE(createRevision, 8);
  return bytes;
}

export function decodeHead(key: string, bytes: Buffer): KeyHead {
  return { key, modRevision: bytes.readDoubleLE(0), createRevision: bytes.readDoubleLE(8) };
}
