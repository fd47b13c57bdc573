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

/** What the last commit adds. */
interface Ending {
  readonly compactedRevision: number;
  readonly expiries: readonly Expiry[];
  /** Revisions of records that are history, where none is kept. */
  readonly droppedRecords?: readonly number[];
}

/**
 * A data file that is filled from a log of changes, oldest first, and takes the place of another only when it is complete. It is made in
 * a folder inside the data directory; what an interrupted run left there is removed by the next one.
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

  /** Takes a copy of the value. */
  async add(record: LogRecord): Promise<void> {
    this.#records.push({ ...record, value: Buffer.from(record.value) });
    this.#bytes += sizeBound(record);
    if (this.#bytes >= BATCH_BYTES) await this.#flush();
  }

  /** Completes the file. Resolves with the folder in which it can be read until it is put in its place. */
  async complete({ compactedRevision, expiries, droppedRecords = [] }: Ending): Promise<string> {
    await this.#flush({ compactedRevision, expiries, droppedRecords });
    await this.#close();
    return this.#draft;
  }

  /** Puts the completed file in its place: the data of the directory from now on. */
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

/** An empty folder for a data file that takes the place of another. The directory must be locked. */
export function newDraft(directory: string): string {
  const draft = draftOf(directory);
  rmSync(draft, { recursive: true, force: true });
  makeDirectory(draft);
  claimFiles(draft);
  return draft;
}

/** Puts the complete and closed data file of the draft in its place. */
export function replaceDataFile(directory: string): void {
  const draft = draftOf(directory);
  syncFile(join(draft, DATA_FILE));
  rmSync(join(directory, LMDB_LOCK_FILE), { force: true });
  renameSync(join(draft, DATA_FILE), join(directory, DATA_FILE));
  rmSync(draft, { recursive: true });
  syncFile(directory);
}

/** Keeps the present data file under a name of its format, also when another takes its place. An older one of that name goes. */
export function keepDataFile(directory: string, format: number): void {
  const data = join(directory, DATA_FILE);
  const kept = `${data}.format-${format}`;
  rmSync(kept, { force: true });
  linkSync(data, kept);
}

/** Makes and locks a directory for new data. Throws `refusal` if it holds anything, and Locked while another process fills it. */
export async function lockEmptyDirectory(directory: string, refusal: Error): Promise<DirectoryLock> {
  if (isOccupied(directory)) throw refusal;
  makeDirectory(directory);
  const lock = await lockDirectory(directory);
  // Another process may have filled it and ended since.
  if (!isOccupied(directory)) return lock;
  lock.release();
  throw refusal;
}

/** Whether a directory holds anything but what an interrupted run left, or a file system puts there itself. A lock is not looked at. */
function isOccupied(directory: string): boolean {
  const ignored = [basename(draftOf(directory)), "lost+found"];
  return existsSync(directory) && readdirSync(directory).some((name) => !ignored.includes(name) && !isOfLock(name));
}

/** Where the file is made within a data directory. */
export const NEW_DATA_FILE = `${DATA_FILE}.new`;

function draftOf(directory: string): string {
  return join(directory, NEW_DATA_FILE);
}
