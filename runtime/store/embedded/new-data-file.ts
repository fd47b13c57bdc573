import { existsSync, linkSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { makeDirectory } from "../../lib/private-files.ts";
import { DATA_FILE, LMDB_LOCK_FILE } from "./check-data-file.ts";
import { claimFiles } from "./claim-files.ts";
import { type DirectoryLock, isOfLock, lockDirectory } from "./directory-lock.ts";
import type { Expiry, LogRecord } from "./engine.ts";
import { LmdbEngine } from "./lmdb-engine.ts";
import { sizeBound } from "./log-record.ts";
import { syncFile } from "./sync-file.ts";

const BATCH_BYTES = 4 * 1024 * 1024;

/** Contents of the last commit. */
interface Ending {
  readonly compactedRevision: number;
  readonly expiries: readonly Expiry[];
  /** Revisions of records to drop because they are history. Empty if history is kept. */
  readonly droppedRecords?: readonly number[];
}

/**
 * A data file that is filled from a log of changes, oldest first, and replaces another only when it is complete. It is created in a folder
 * inside the data directory. The next run removes what an interrupted one has left there.
 */
export class NewDataFile {
  readonly #directory: string;
  readonly #draft: string;
  readonly #engine: LmdbEngine;
  #records: LogRecord[] = [];
  #bytes = 0;
  #closed = false;

  private constructor(directory: string, draft: string, engine: LmdbEngine) {
    this.#directory = directory;
    this.#draft = draft;
    this.#engine = engine;
  }

  static async begin(directory: string, identity: Uint8Array): Promise<NewDataFile> {
    const draft = newDraft(directory);
    return new NewDataFile(directory, draft, await LmdbEngine.open(draft, undefined, identity));
  }

  /** Copies the value. */
  async add(record: LogRecord): Promise<void> {
    this.#records.push({ ...record, value: Buffer.from(record.value) });
    this.#bytes += sizeBound(record);
    if (this.#bytes >= BATCH_BYTES) await this.#flush();
  }

  /** Completes the file. Resolves with the folder in which it can be read until `putInPlace` moves it. */
  async complete({ compactedRevision, expiries, droppedRecords = [] }: Ending): Promise<string> {
    await this.#flush({ compactedRevision, expiries, droppedRecords });
    await this.#close();
    return this.#draft;
  }

  /** Makes the completed file the data file of the directory. */
  putInPlace(): void {
    replaceDataFile(this.#directory);
  }

  async finish(ending: Ending): Promise<void> {
    await this.complete(ending);
    this.putInPlace();
  }

  async abandon(): Promise<void> {
    await this.#close();
    rmSync(this.#draft, { recursive: true, force: true });
  }

  async #close(): Promise<void> {
    if (!this.#closed) await this.#engine.close();
    this.#closed = true;
  }

  async #flush(ending: Partial<Ending> = {}): Promise<void> {
    const { expiries = [], droppedRecords = [] } = ending;
    await this.#engine.commit({ ...ending, records: this.#records, expiries, droppedRecords, droppedExpiries: [] });
    [this.#records, this.#bytes] = [[], 0];
  }
}

/** Creates an empty folder for a data file that will replace another. The directory must be locked. */
export function newDraft(directory: string): string {
  const draft = draftOf(directory);
  rmSync(draft, { recursive: true, force: true });
  makeDirectory(draft);
  claimFiles(draft);
  return draft;
}

/** Replaces the data file of the directory with the complete and closed one of the draft folder. */
export function replaceDataFile(directory: string): void {
  const draft = draftOf(directory);
  syncFile(join(draft, DATA_FILE));
  rmSync(join(directory, LMDB_LOCK_FILE), { force: true });
  renameSync(join(draft, DATA_FILE), join(directory, DATA_FILE));
  rmSync(draft, { recursive: true });
  syncFile(directory);
}

/**
 * Keeps the present data file under a second name that includes its format, so that replacing it does not delete it. Removes an older file
 * of that name.
 */
export function keepDataFile(directory: string, format: number): void {
  const data = join(directory, DATA_FILE);
  const kept = `${data}.format-${format}`;
  rmSync(kept, { force: true });
  linkSync(data, kept);
}

/** Creates and locks a directory for new data. Throws `refusal` if the directory is not empty, and Locked while another process fills it. */
export async function lockEmptyDirectory(directory: string, refusal: Error): Promise<DirectoryLock> {
  if (isOccupied(directory)) throw refusal;
  makeDirectory(directory);
  const lock = await lockDirectory(directory);
  // Another process may have filled the directory and ended in the meantime.
  if (!isOccupied(directory)) return lock;
  lock.release();
  throw refusal;
}

/** Whether a directory contains files other than the draft of an interrupted run, lock files and the `lost+found` of the file system. */
function isOccupied(directory: string): boolean {
  const ignored = [basename(draftOf(directory)), "lost+found"];
  return existsSync(directory) && readdirSync(directory).some((name) => !ignored.includes(name) && !isOfLock(name));
}

/** Name of the folder in which the new file is created within a data directory. */
export const NEW_DATA_FILE = `${DATA_FILE}.new`;

function draftOf(directory: string): string {
  return join(directory, NEW_DATA_FILE);
}
