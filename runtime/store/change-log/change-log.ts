import { type FileHandle, open, readFile, rm } from "node:fs/promises";
import { claimDirectory, PRIVATE_FILE } from "../../lib/private-files.ts";
import type { LogRecord } from "../embedded/engine.ts";
import { StoreError } from "../errors.ts";
import { decodeSegment, encodeHeader, MAX_HEADER_BYTES } from "./change-frames.ts";
import { isSegmentName, listSegments, type SegmentFile, segmentPath } from "./segment-files.ts";

const LARGEST_SEGMENT_BYTES = 64 * 1024 * 1024;
/** Approximate number of files in a log of maximum size. Removing the oldest file thus removes a small part of the log. */
const SEGMENTS = 8;

export interface ChangeLogConfig {
  readonly directory: string;
  /** The oldest files are removed when the log is larger than this. */
  readonly maxBytes: number;
}

/** The newest file, to which changes are appended. */
interface Growing {
  readonly file: FileHandle;
  readonly path: string;
  bytes: number;
}

/**
 * The changes of a store in the order of their revisions, in append-only files. Together with a backup, they allow a `restore` to any later
 * revision. Calls of `append` must not overlap.
 */
export class ChangeLog {
  readonly #config: ChangeLogConfig;
  readonly #identity: string;
  readonly #older: Pick<SegmentFile, "path" | "bytes">[];
  #growing: Growing | undefined;
  #lastFound: LogRecord | undefined;
  #revision = 0;

  private constructor(config: ChangeLogConfig, identity: string, older: SegmentFile[]) {
    this.#config = config;
    this.#identity = identity;
    this.#older = older;
  }

  /** The last change in the log when it was opened; undefined if the log had none. */
  get lastFound(): LogRecord | undefined {
    return this.#lastFound;
  }

  /** All changes up to this revision are in the log and synced, or were skipped. */
  get revision(): number {
    return this.#revision;
  }

  /**
   * Opens or creates the change log of the data with this identity. Truncates an append that a power failure has left incomplete. Throws
   * NotWritable, and Corrupt if the log is damaged or belongs to other data.
   */
  static async open(config: ChangeLogConfig, identity: Uint8Array): Promise<ChangeLog> {
    const { directory } = config;
    try {
      claimDirectory(directory, isSegmentName);
      const older = listSegments(directory);
      const log = new ChangeLog(config, Buffer.from(identity).toString("base64"), older);
      for (let newest = older.pop(); newest !== undefined; newest = older.pop()) {
        if (await log.#continue(newest)) break;
      }
      return log;
    } catch (error) {
      if (error instanceof StoreError) throw error;
      throw new StoreError("NotWritable", `the change log in ${directory} cannot be opened: ${messageOf(error)}`, {
        cause: error,
      });
    }
  }

  /** Opens a file for appending and returns true. Removes a file whose header is incomplete and returns false: it contains no changes. */
  async #continue({ path, after }: SegmentFile): Promise<boolean> {
    const bytes = await readFile(path);
    const segment = decodeSegment(bytes);
    if (segment === undefined && bytes.length > MAX_HEADER_BYTES)
      throw new StoreError(
        "Corrupt",
        `${path} is damaged: it has no header. Name another directory, and make a backup`,
      );
    if (segment === undefined) {
      await rm(path);
      return false;
    }
    if (segment.header.identity !== this.#identity)
      throw new StoreError(
        "Corrupt",
        `the change log in ${this.#config.directory} belongs to other data: name another directory`,
      );
    const last = segment.changes.at(-1)?.record;
    this.#lastFound = last && { ...last, value: Buffer.from(last.value) };
    this.#revision = last?.revision ?? after;
    const file = await open(path, "r+");
    await file.truncate(segment.goodBytes);
    this.#growing = { file, path, bytes: segment.goodBytes };
    return true;
  }

  /** Continues the log after `revision` in a new file. Used if changes up to and including it are missing, or if there are none. */
  async skipTo(revision: number): Promise<void> {
    await this.#setAside();
    this.#revision = revision;
  }

  /**
   * Appends encoded changes, the last of which has the given revision. Resolves once they are on disk. After an error, none of them counts
   * as appended, and the caller must append the same changes again.
   */
  async append(changes: readonly Buffer[], revision: number): Promise<void> {
    if (this.#growing !== undefined && this.#growing.bytes >= this.#segmentBytes()) await this.#setAside();
    this.#growing ??= await this.#begin();
    const { file, bytes } = this.#growing;
    const encoded = Buffer.concat(changes);
    // Overwrites what a failed append has left.
    await writeWhole(file, encoded, bytes);
    await file.datasync();
    this.#growing.bytes += encoded.length;
    this.#revision = revision;
  }

  async close(): Promise<void> {
    await this.#growing?.file.close();
    this.#growing = undefined;
  }

  #segmentBytes(): number {
    return Math.min(LARGEST_SEGMENT_BYTES, this.#config.maxBytes / SEGMENTS);
  }

  async #begin(): Promise<Growing> {
    await this.#removeOldest();
    const path = segmentPath(this.#config.directory, this.#revision);
    const header = encodeHeader({ identity: this.#identity, after: this.#revision });
    const file = await open(path, "w+", PRIVATE_FILE);
    try {
      await writeWhole(file, header, 0);
      await file.sync();
      await syncDirectory(this.#config.directory);
    } catch (error) {
      await file.close();
      throw error;
    }
    return { file, path, bytes: header.length };
  }

  async #setAside(): Promise<void> {
    if (this.#growing === undefined) return;
    const { file, path, bytes } = this.#growing;
    await file.close();
    this.#growing = undefined;
    this.#older.push({ path, bytes });
  }

  /** Removes the oldest files until the log has room for a new one. */
  async #removeOldest(): Promise<void> {
    let total = this.#older.reduce((sum, { bytes }) => sum + bytes, this.#segmentBytes());
    while (total > this.#config.maxBytes) {
      const oldest = this.#older.shift();
      if (oldest === undefined) return;
      await rm(oldest.path, { force: true });
      total -= oldest.bytes;
    }
  }
}

async function writeWhole(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, written, bytes.length - written, position + written);
    written += bytesWritten;
  }
}

async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, "r");
  await handle.sync().finally(() => handle.close());
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
