import { closeSync, existsSync, fsyncSync, openSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { makeDirectory } from "../../lib/private-files.ts";
import { DATA_FILE, LMDB_LOCK_FILE } from "./check-data-file.ts";
import { claimFiles } from "./claim-files.ts";
import type { Expiry, LogRecord } from "./engine.ts";
import { LmdbEngine } from "./lmdb-engine.ts";
import { sizeBound } from "./log-record.ts";

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
    const draft = draftOf(directory);
    rmSync(draft, { recursive: true, force: true });
    makeDirectory(draft);
    claimFiles(draft);
    return new NewDataFile(directory, draft, await LmdbEngine.open(draft, undefined, identity));
  }

  /** Takes a copy of the value. */
  async add(record: LogRecord): Promise<void> {
    this.#records.push({ ...record, value: Buffer.from(record.value) });
    this.#bytes += sizeBound(record);
    if (this.#bytes >= BATCH_BYTES) await this.#flush();
  }

  /** Puts the file in its place: the data of the directory from now on. */
  async finish({ compactedRevision, expiries, droppedRecords = [] }: Ending): Promise<void> {
    await this.#flush({ compactedRevision, expiries, droppedRecords });
    await this.#close();
    syncFile(join(this.#draft, DATA_FILE));
    rmSync(join(this.#directory, LMDB_LOCK_FILE), { force: true });
    renameSync(join(this.#draft, DATA_FILE), join(this.#directory, DATA_FILE));
    rmSync(this.#draft, { recursive: true });
    syncFile(this.#directory);
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

/** Whether a directory holds anything but what an interrupted run left, or a file system puts there itself. */
export function isOccupied(directory: string): boolean {
  const ignored = [basename(draftOf(directory)), "lost+found"];
  return existsSync(directory) && readdirSync(directory).some((name) => !ignored.includes(name));
}

function draftOf(directory: string): string {
  return join(directory, `${DATA_FILE}.new`);
}

function syncFile(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
