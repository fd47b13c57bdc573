import { crc32 } from "node:zlib";
import type { LogRecord } from "../embedded/engine.ts";
import { decodeRecord, sizeBound, writeRecord } from "../embedded/log-record.ts";

/*
 * A change log is a directory of files, each named after the revision that comes before its first change: changes-0000000000000041.log.
 * A file is one line followed by frames. Numbers are little-endian:
 *
 *     "typeplane changes 1\n" | frame | frame | …
 *     frame    length u32 | CRC-32 of the contents u32 | contents
 *
 *     first contents     header, JSON: identity (of the data), after (a revision)
 *     further contents   revision f64 | time at which the key expires f64, 0 for never | a record as in the data file
 *
 * Frames are only appended. Revisions ascend, with gaps where a commit failed. Each file therefore records which revision it continues.
 */
const FIRST_LINE = Buffer.from("typeplane changes 1\n");
const PREFIX_BYTES = 8;
const CHANGE_BYTES = 16;

/** One change of the store. */
export interface LoggedChange {
  readonly record: LogRecord;
  /** Milliseconds since the epoch; 0 if the key does not expire. */
  readonly expiresAt: number;
}

export interface SegmentHeader {
  /** Base64. */
  readonly identity: string;
  /** The revision before the first change of the file. No change is missing between the two. */
  readonly after: number;
}

/** Far above the length of a first line and a header. */
export const MAX_HEADER_BYTES = 1024;

/** The contents of a file up to its end, or up to the first frame that is incomplete or damaged. */
export interface Segment {
  readonly header: SegmentHeader;
  readonly changes: readonly LoggedChange[];
  /** Offset at which the last intact frame ends. */
  readonly goodBytes: number;
  readonly isWhole: boolean;
  /** An intact frame follows a damaged one. An interrupted append does not cause this. */
  readonly goesOn: boolean;
}

export function encodeHeader(header: SegmentHeader): Buffer {
  const json = Buffer.from(JSON.stringify(header));
  const bytes = Buffer.concat([FIRST_LINE, Buffer.alloc(PREFIX_BYTES), json]);
  sealFrame(bytes, FIRST_LINE.length, bytes.length);
  return bytes;
}

export function encodeChange({ record, expiresAt }: LoggedChange): Buffer {
  const bytes = Buffer.allocUnsafe(PREFIX_BYTES + CHANGE_BYTES + sizeBound(record));
  bytes.writeDoubleLE(record.revision, PREFIX_BYTES);
  bytes.writeDoubleLE(expiresAt, PREFIX_BYTES + 8);
  const end = writeRecord(record, bytes, PREFIX_BYTES + CHANGE_BYTES);
  sealFrame(bytes, 0, end);
  return bytes.subarray(0, end);
}

function sealFrame(bytes: Buffer, start: number, end: number): void {
  bytes.writeUInt32LE(end - start - PREFIX_BYTES, start);
  bytes.writeUInt32LE(crc32(bytes.subarray(start + PREFIX_BYTES, end)), start + 4);
}

/** Returns undefined if the first line or the header is incomplete. Values are views of `bytes`. */
export function decodeSegment(bytes: Buffer): Segment | undefined {
  if (!bytes.subarray(0, FIRST_LINE.length).equals(FIRST_LINE)) return undefined;
  const first = frameAt(bytes, FIRST_LINE.length);
  if (first === undefined) return undefined;
  const header = JSON.parse(first.contents.toString()) as SegmentHeader;
  const changes: LoggedChange[] = [];
  let goodBytes = first.end;
  for (let frame = frameAt(bytes, goodBytes); frame !== undefined; frame = frameAt(bytes, goodBytes)) {
    const record = decodeRecord(frame.contents.readDoubleLE(0), frame.contents.subarray(CHANGE_BYTES));
    changes.push({ record, expiresAt: frame.contents.readDoubleLE(8) });
    goodBytes = frame.end;
  }
  const goesOn = frameAt(bytes, endOfFrame(bytes, goodBytes)) !== undefined;
  return { header, changes, goodBytes, isWhole: goodBytes === bytes.length, goesOn };
}

/**
 * Decodes the frame at an offset; undefined if it is incomplete, damaged or empty. A power failure may leave zeroes at the end of a file,
 * which would look like empty frames.
 */
function frameAt(bytes: Buffer, start: number): { contents: Buffer; end: number } | undefined {
  const end = endOfFrame(bytes, start);
  if (end > bytes.length || end === start + PREFIX_BYTES) return undefined;
  const contents = bytes.subarray(start + PREFIX_BYTES, end);
  return crc32(contents) === bytes.readUInt32LE(start + 4) ? { contents, end } : undefined;
}

/** Offset at which a frame ends. Beyond the end of the file if the frame is incomplete. */
function endOfFrame(bytes: Buffer, start: number): number {
  if (start + PREFIX_BYTES > bytes.length) return bytes.length + 1;
  return start + PREFIX_BYTES + bytes.readUInt32LE(start);
}
