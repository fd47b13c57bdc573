import { createHash, randomUUID, timingSafeEqual } from "node:crypto";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { PRIVATE_FILE } from "../../lib/private-files.ts";
import type { Expiry, LogRecord } from "../embedded/engine.ts";
import { decodeRecord, sizeBound, writeRecord } from "../embedded/log-record.ts";
import type { MemoryState } from "../embedded/memory-engine.ts";

/*
 * A snapshot is one file. Numbers are little-endian, revisions are doubles:
 *
 *     "typeplane snapshot 1\n" | SHA-256 of the rest | header length u32 | header, JSON | record | record | …
 *     record   revision f64 | length u32 | a record as in the data file (embedded/log-record.ts)
 *
 * It contains the state as of one revision, without history: a watch from an earlier revision expires. Values are copied as stored:
 * encrypted ones need the same encryption configuration.
 */
const MAGIC = "typeplane snapshot ";
const FORMAT = 1;
const FIRST_LINE = Buffer.from(`${MAGIC}${FORMAT}\n`);
const DIGEST_BYTES = 32;
const START = FIRST_LINE.length + DIGEST_BYTES;
const RECORD_PREFIX_BYTES = 12;
/** Smallest encoding of a record, with an empty key and an empty value. */
const MIN_RECORD_BYTES = 27;
/** Limits memory use: files are read as a whole. */
const MAX_BYTES = 1024 ** 3;
const CHUNK_BYTES = 1024 * 1024;

export interface Snapshot {
  readonly state: MemoryState;
  /** Public keys of service account tokens, PEM. */
  readonly keys: readonly string[];
}

/** The file is not a snapshot, or cannot be used. The message is a sentence for the command line. */
export class SnapshotError extends Error {
  readonly code = "Snapshot";
}

interface Header {
  readonly identity: string;
  readonly revision: number;
  readonly records: number;
  readonly expiries: readonly Expiry[];
  readonly keys: readonly string[];
}

/** Writes a snapshot that only its owner may read. Replaces the file atomically: readers never see a part of it. */
export async function writeSnapshot(file: string, { state, keys }: Snapshot): Promise<void> {
  const temporary = `${file}.${randomUUID()}.new`;
  const handle = await open(temporary, "wx", PRIVATE_FILE);
  try {
    await writeTo(handle, state, keys);
    await handle.close();
    await rename(temporary, file);
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(temporary, { force: true });
    throw error;
  }
}

async function writeTo(handle: FileHandle, state: MemoryState, keys: readonly string[]): Promise<void> {
  const records = [...state.records];
  const { identity, revision, expiries } = state;
  const header: Header = {
    identity: Buffer.from(identity).toString("base64"),
    revision,
    records: records.length,
    expiries,
    keys,
  };
  const digest = createHash("sha256");
  let position = START;
  for (const chunk of chunksOf(header, records)) {
    digest.update(chunk);
    await handle.write(chunk, 0, chunk.length, position);
    position += chunk.length;
    if (position > MAX_BYTES) throw new SnapshotError("the data is too large for a snapshot: 1 GiB at most");
  }
  await handle.write(Buffer.concat([FIRST_LINE, digest.digest()]), 0, START, 0);
}

function* chunksOf(header: Header, records: readonly LogRecord[]): Iterable<Buffer> {
  const json = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(json.length);
  let pending: Buffer[] = [length, json];
  let bytes = json.length;
  for (const record of records) {
    const encoded = encode(record);
    bytes += encoded.length;
    pending.push(encoded);
    if (bytes < CHUNK_BYTES) continue;
    yield Buffer.concat(pending);
    [pending, bytes] = [[], 0];
  }
  yield Buffer.concat(pending);
}

function encode(record: LogRecord): Buffer {
  const bytes = Buffer.allocUnsafe(RECORD_PREFIX_BYTES + sizeBound(record));
  const end = writeRecord({ ...record, previousRevision: 0 }, bytes, RECORD_PREFIX_BYTES);
  bytes.writeDoubleLE(record.revision, 0);
  bytes.writeUInt32LE(end - RECORD_PREFIX_BYTES, 8);
  return bytes.subarray(0, end);
}

/** Reads a snapshot. Throws a SnapshotError if the file is not a snapshot, has another format, or is damaged. */
export async function readSnapshot(file: string): Promise<Snapshot> {
  const bytes = await readBounded(file);
  const firstLine = bytes.toString("latin1", 0, FIRST_LINE.length);
  if (!firstLine.startsWith(MAGIC)) throw new SnapshotError(`${file} is not a snapshot of a plane`);
  if (firstLine !== FIRST_LINE.toString("latin1")) {
    throw new SnapshotError(`${file} has another format than ${FORMAT}, the only one that this version reads`);
  }
  const rest = bytes.subarray(START);
  const digest = createHash("sha256").update(rest).digest();
  if (bytes.length < START || !timingSafeEqual(digest, bytes.subarray(FIRST_LINE.length, START))) {
    throw new SnapshotError(`${file} is damaged: its checksum does not match`);
  }
  try {
    return decode(rest);
  } catch (cause) {
    throw new SnapshotError(`${file} is damaged: ${(cause as Error).message}`, { cause });
  }
}

async function readBounded(file: string): Promise<Buffer> {
  const handle = await open(file, "r");
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new SnapshotError(`${file} is not a file`);
    if (stats.size > MAX_BYTES) throw new SnapshotError(`${file} is too large for a snapshot: 1 GiB at most`);
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

function decode(bytes: Buffer): Snapshot {
  const headerEnd = 4 + bytes.readUInt32LE(0);
  const header = JSON.parse(bytes.toString("utf8", 4, headerEnd)) as Partial<Header> | null;
  if (!isHeader(header)) throw new Error("its header is incomplete");
  const { identity, revision, expiries, keys } = header;
  const records: LogRecord[] = [];
  let last = 0;
  for (let offset = headerEnd; offset < bytes.length; ) {
    const own = bytes.readDoubleLE(offset);
    const start = offset + RECORD_PREFIX_BYTES;
    const end = start + bytes.readUInt32LE(offset + 8);
    if (end > bytes.length || end - start < MIN_RECORD_BYTES) throw new Error("a record is cut off");
    if (!(own > last && own <= revision)) throw new Error("its records are out of order");
    records.push(decodeRecord(own, bytes.subarray(start, end)));
    [last, offset] = [own, end];
  }
  if (records.length !== header.records) throw new Error("records are missing");
  return { state: { identity: Buffer.from(identity, "base64"), revision, records, expiries }, keys };
}

function isHeader(header: Partial<Header> | null): header is Header {
  return (
    typeof header?.identity === "string" &&
    Number.isSafeInteger(header.revision) &&
    Number.isSafeInteger(header.records) &&
    Array.isArray(header.expiries) &&
    header.expiries.every(({ time, revision, key }) => time >= 0 && revision >= 0 && typeof key === "string") &&
    Array.isArray(header.keys) &&
    header.keys.every((key) => typeof key === "string")
  );
}
