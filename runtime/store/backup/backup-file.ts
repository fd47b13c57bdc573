import { createHash, randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { type FileHandle, link, open, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { pipeline as pipe, Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { PRIVATE_FILE } from "../../lib/private-files.ts";
import type { Expiry, LogRecord } from "../embedded/engine.ts";
import { decodeRecord, LOG_HEADER_BYTES, sizeBound, writeRecord } from "../embedded/log-record.ts";

/*
 * A backup is one gzip file. Decompressed, it is one line followed by frames. Numbers are little-endian:
 *
 *     "typeplane backup 1\n" | frame | frame | …
 *     frame   type u8 | length u32 | contents
 *
 *     H   header, JSON: identity, revision, compactedRevision, created
 *     R   revision f64 | a record as in the data file (embedded/log-record.ts); in ascending order of revisions
 *     T   a key with a time to live, JSON
 *     E   end, JSON: the number of R and of T frames, and the SHA-256 of everything before this frame
 *
 * Records are the changes of the log: the present value of each key, and the history that the store still had. Values are copied
 * as stored: encrypted ones need the same encryption configuration.
 */
const FIRST_LINE = "typeplane backup 1\n";
const PREFIX_BYTES = 5;
/** Far above the largest object. Keeps a damaged length field from allocating all memory. */
const MAX_FRAME_BYTES = 512 * 1024 * 1024;
const CHUNK_BYTES = 256 * 1024;
/** Length of a frame whose record has an empty key and an empty value. */
const MIN_RECORD_BYTES = 8 + LOG_HEADER_BYTES;

export interface BackupHeader {
  /** Base64. */
  readonly identity: string;
  readonly revision: number;
  /** The oldest revision that can be read from the backup and restored. */
  readonly compactedRevision: number;
  /** RFC 3339. */
  readonly created: string;
}

/** The items of a backup, in the order in which they are written and read: the header is first. */
export type BackupItem =
  | { readonly header: BackupHeader }
  | { readonly record: LogRecord }
  | { readonly expiry: Expiry };

/** The file is not a backup, or is damaged. The message is a sentence for the command line. */
export class BackupError extends Error {
  readonly code = "Backup";
  /** True if the file was read and its contents are damaged or are not a backup. */
  readonly isDamage: boolean;

  constructor(message: string, options?: { readonly cause?: unknown; readonly isDamage?: boolean }) {
    super(message, options);
    this.isDamage = options?.isDamage === true;
  }
}

/** Writes a file that only its owner may read. Never replaces a file, and never leaves an incomplete one. */
export async function writeBackup(
  file: string,
  items: Iterable<BackupItem> | AsyncIterable<BackupItem>,
): Promise<void> {
  const draft = `${file}.${randomUUID()}.new`;
  try {
    const output = createWriteStream(draft, { flags: "wx", mode: PRIVATE_FILE, flush: true });
    await pipeline(Readable.from(chunksOf(items)), createGzip({ level: 5 }), output);
    await link(draft, file);
    await syncDirectory(dirname(file));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST")
      throw new BackupError(`${file} exists already: a backup never replaces a file`, { cause: error });
    if ((error as NodeJS.ErrnoException).code === "ENOENT")
      throw new BackupError(`there is no directory ${dirname(file)}`, { cause: error });
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, "r");
  await handle.sync().finally(() => handle.close());
}

async function* chunksOf(items: Iterable<BackupItem> | AsyncIterable<BackupItem>): AsyncGenerator<Buffer> {
  const digest = createHash("sha256");
  const count = { records: 0, expiries: 0 };
  let pending: Buffer[] = [Buffer.from(FIRST_LINE)];
  let bytes = 0;
  const take = (): Buffer => {
    const chunk = Buffer.concat(pending);
    [pending, bytes] = [[], 0];
    digest.update(chunk);
    return chunk;
  };
  for await (const item of items) {
    if ("record" in item) count.records++;
    if ("expiry" in item) count.expiries++;
    const encoded = encode(item);
    pending.push(encoded);
    bytes += encoded.length;
    if (bytes >= CHUNK_BYTES) yield take();
  }
  yield take();
  yield frame("E", Buffer.from(JSON.stringify({ ...count, sha256: digest.digest("hex") })));
}

function encode(item: BackupItem): Buffer {
  if ("header" in item) return frame("H", Buffer.from(JSON.stringify(item.header)));
  if ("expiry" in item) return frame("T", Buffer.from(JSON.stringify(item.expiry)));
  const { record } = item;
  const bytes = Buffer.allocUnsafe(PREFIX_BYTES + 8 + sizeBound(record));
  const end = writeRecord(record, bytes, PREFIX_BYTES + 8);
  bytes.write("R");
  bytes.writeUInt32LE(end - PREFIX_BYTES, 1);
  bytes.writeDoubleLE(record.revision, PREFIX_BYTES);
  return bytes.subarray(0, end);
}

function frame(type: string, contents: Buffer): Buffer {
  const prefix = Buffer.alloc(PREFIX_BYTES);
  prefix.write(type);
  prefix.writeUInt32LE(contents.length, 1);
  return Buffer.concat([prefix, contents]);
}

async function openExisting(file: string): Promise<FileHandle> {
  try {
    const handle = await open(file, "r");
    if (!(await handle.stat()).isDirectory()) return handle;
    await handle.close();
    throw new BackupError(`${file} is a directory`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    throw new BackupError(`${file}: there is no such file`);
  }
}

/**
 * Reads a backup from beginning to end. Throws a BackupError if the file is not a backup or is damaged. The damage may be found at the end:
 * a caller may use what it has read only after the iteration has completed.
 */
export async function* readBackup(file: string): AsyncGenerator<BackupItem> {
  const source = (await openExisting(file)).createReadStream();
  const reader = new FrameReader(
    pipe(source, createGunzip(), () => undefined),
    file,
  );
  const count = { records: 0, expiries: 0 };
  let header: BackupHeader | undefined;
  let last = 0;
  await reader.expectLine(FIRST_LINE);
  for (;;) {
    const { type, contents } = await reader.next();
    if ((header === undefined) !== (type === "H")) throw reader.damage("its header is missing or doubled");
    if (type === "E") {
      const end = reader.parse<{ records: number; expiries: number; sha256: string }>(contents);
      if (end.sha256 !== reader.digest()) throw reader.damage("its checksum does not match");
      if (end.records !== count.records || end.expiries !== count.expiries) throw reader.damage("records are missing");
      await reader.expectEnd();
      return;
    }
    if (type === "H") {
      header = headerOf(contents, reader);
      yield { header };
    } else if (type === "R") {
      const revision = contents.length < MIN_RECORD_BYTES ? 0 : contents.readDoubleLE(0);
      if (!(revision > last && revision <= (header?.revision ?? 0)))
        throw reader.damage("its records are out of order");
      last = revision;
      count.records++;
      yield { record: decodeRecord(revision, contents.subarray(8)) };
    } else if (type === "T") {
      count.expiries++;
      yield { expiry: reader.parse<Expiry>(contents) };
    } else throw reader.damage(`it has a frame of the unknown type ${JSON.stringify(type)}`);
  }
}

function headerOf(contents: Buffer, reader: FrameReader): BackupHeader {
  const header = reader.parse<Partial<BackupHeader> | null>(contents);
  const { identity, revision, compactedRevision, created } = header ?? {};
  if (typeof identity !== "string" || !Number.isSafeInteger(revision) || !Number.isSafeInteger(compactedRevision))
    throw reader.damage("its header is incomplete");
  return { identity, revision: revision ?? 0, compactedRevision: compactedRevision ?? 0, created: String(created) };
}

/** Splits a stream into frames. */
class FrameReader {
  readonly #file: string;
  readonly #chunks: AsyncIterator<Buffer>;
  readonly #hash = createHash("sha256");
  #rest: Buffer = Buffer.alloc(0);

  constructor(stream: Readable, file: string) {
    this.#chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    this.#file = file;
  }

  damage(why: string, cause?: unknown): BackupError {
    return new BackupError(`${this.#file} is damaged: ${why}`, { cause, isDamage: true });
  }

  /** SHA-256 of all bytes before the end frame. */
  digest(): string {
    return this.#hash.digest("hex");
  }

  async expectLine(line: string): Promise<void> {
    const family = line.slice(0, line.lastIndexOf(" "));
    const found = await this.#take(line.length).catch((error: BackupError) => {
      const isOther = (error.cause as Error | undefined)?.message === "incorrect header check";
      throw isOther ? new BackupError(`${this.#file} is not a backup`, { cause: error, isDamage: true }) : error;
    });
    this.#hash.update(found);
    if (found.toString("latin1") === line) return;
    if (!found.toString("latin1").startsWith(family))
      throw new BackupError(`${this.#file} is not a backup`, { isDamage: true });
    throw new BackupError(`${this.#file} has a format that this version does not read: use the version that wrote it`);
  }

  /** Decodes the contents of a JSON frame. Throws a BackupError if they are not JSON. */
  parse<T>(contents: Buffer): T {
    try {
      return JSON.parse(contents.toString()) as T;
    } catch (error) {
      throw this.damage(reasonOf(error), error);
    }
  }

  async next(): Promise<{ type: string; contents: Buffer }> {
    const prefix = await this.#take(PREFIX_BYTES);
    const length = prefix.readUInt32LE(1);
    if (length > MAX_FRAME_BYTES) throw this.damage("a length in it is impossible");
    const [type, contents] = [prefix.toString("latin1", 0, 1), await this.#take(length)];
    if (type !== "E") this.#hash.update(prefix).update(contents);
    return { type, contents };
  }

  async expectEnd(): Promise<void> {
    if (this.#rest.length > 0 || (await this.#read()) !== undefined) throw this.damage("there is more after its end");
  }

  async #take(length: number): Promise<Buffer> {
    if (this.#rest.length < length) {
      const parts = [this.#rest];
      let bytes = this.#rest.length;
      while (bytes < length) {
        const chunk = await this.#read();
        if (chunk === undefined) throw this.damage("it ends too early");
        parts.push(chunk);
        bytes += chunk.length;
      }
      this.#rest = Buffer.concat(parts);
    }
    const taken = this.#rest.subarray(0, length);
    this.#rest = this.#rest.subarray(length);
    return taken;
  }

  async #read(): Promise<Buffer | undefined> {
    try {
      const { value, done } = await this.#chunks.next();
      return done ? undefined : value;
    } catch (error) {
      throw this.damage(reasonOf(error), error);
    }
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
