import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import type { RootDatabase } from "lmdb";
import { makeDirectory } from "../../lib/private-files.ts";
import { NoSpaceError, StoreError } from "../errors.ts";
import { checkDataFile, DATA_FILE, LMDB_LOCK_FILE } from "./check-data-file.ts";
import { claimFiles } from "./claim-files.ts";
import { lockDirectory } from "./directory-lock.ts";
import { commitTo, DiskRoom } from "./disk-room.ts";
import { MAP_BYTES } from "./lmdb-engine.ts";
import { loadLmdb } from "./load-lmdb.ts";
import { NEW_DATA_FILE } from "./new-data-file.ts";
import { openEmbeddedStore } from "./open-embedded-store.ts";
import { syncFile } from "./sync-file.ts";

/** Folder in which the new file is created. The next run overwrites an unfinished file in it. */
const DRAFT = `${DATA_FILE}.scrub`;
/** Name of the old file between the swap and the end. */
const REPLACED = `${DATA_FILE}.replaced`;
const BATCH_BYTES = 4 * 1024 * 1024;
const ZEROES = Buffer.alloc(1024 * 1024);
/** Error codes of a full disk. */
const NO_SPACE = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);

type Table = RootDatabase<Buffer, Buffer>;

export interface Scrubbed {
  readonly entries: number;
  readonly bytesBefore: number;
  readonly bytesAfter: number;
}

/**
 * Rewrites the data file so that it contains only the present objects, and overwrites the old file. This removes the history (older
 * versions of objects, so watches cannot start in the past), pages that LMDB has freed, and remains of deleted entries inside pages in use:
 * LMDB's own compacting copy keeps such pages whole, so entries are copied one by one. The directory is locked throughout. An interrupted
 * run leaves data that a server can open, the old or the new; the next run removes the remains.
 */
export async function scrubDataFile(directory: string): Promise<Scrubbed> {
  await forgetHistory(directory);
  const lock = await lockDirectory(directory);
  const draft = join(directory, DRAFT);
  try {
    removeRemains(directory);
    checkDataFile(directory);
    const bytesBefore = statSync(join(directory, DATA_FILE)).size;
    makeDirectory(draft);
    claimFiles(draft);
    const entries = await copyEntries(directory, draft);
    const bytesAfter = statSync(join(draft, DATA_FILE)).size;
    swap(directory);
    return { entries, bytesBefore, bytesAfter };
  } catch (error) {
    if (error instanceof NoSpaceError || NO_SPACE.has(String((error as NodeJS.ErrnoException).code)))
      throw new NoSpaceError(`no space for a copy of the data file in the data directory: ${(error as Error).message}`);
    throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
    lock.release();
  }
}

async function forgetHistory(directory: string): Promise<void> {
  const store = await openEmbeddedStore(directory);
  try {
    const revision = await store.currentRevision();
    await store.compact(revision).catch((error: unknown) => {
      if (!(error instanceof StoreError) || error.code !== "Compacted") throw error;
    });
  } finally {
    await store.close();
  }
}

/** Copies all entries, then compares each of them. Throws before anything is replaced. */
async function copyEntries(from: string, to: string): Promise<number> {
  const [source, target] = [openTable(from), openTable(to)];
  try {
    const room = new DiskRoom(join(to, DATA_FILE));
    let copied = 0;
    for (const batch of batches(source)) {
      const bytes = batch.reduce((sum, { key, value }) => sum + key.length + value.length, 0);
      await commitTo(room, bytes, () =>
        target.batch(() => {
          for (const { key, value } of batch) target.put(key, value);
        }),
      );
      copied += batch.length;
    }
    await target.flushed;
    if (!haveSameEntries(source, target))
      throw new StoreError("Corrupt", "the copy differs from the data; nothing was changed");
    return copied;
  } finally {
    await Promise.all([source.close(), target.close()]);
  }
}

function openTable(path: string): Table {
  return loadLmdb().open<Buffer, Buffer>({
    path,
    noSubdir: false,
    encoding: "binary",
    keyEncoding: "binary",
    overlappingSync: false,
    eventTurnBatching: false,
    mapSize: MAP_BYTES,
  });
}

function* batches(table: Table): Iterable<{ key: Buffer; value: Buffer }[]> {
  let batch: { key: Buffer; value: Buffer }[] = [];
  let bytes = 0;
  for (const { key, value } of table.getRange()) {
    batch.push({ key: Buffer.from(key), value: Buffer.from(value) });
    bytes += key.length + value.length;
    if (bytes < BATCH_BYTES) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}

function haveSameEntries(one: Table, other: Table): boolean {
  const others = other.getRange()[Symbol.iterator]();
  for (const { key, value } of one.getRange()) {
    const { value: found, done } = others.next();
    if (done || !key.equals(found.key) || !value.equals(found.value)) return false;
  }
  return others.next().done === true;
}

/** At every moment, a complete data file exists under its name. */
function swap(directory: string): void {
  const [data, replaced] = [join(directory, DATA_FILE), join(directory, REPLACED)];
  const fresh = join(directory, DRAFT, DATA_FILE);
  syncFile(fresh);
  linkSync(data, replaced);
  renameSync(fresh, data);
  rmSync(join(directory, LMDB_LOCK_FILE), { force: true });
  syncFile(directory);
  overwrite(replaced);
  syncFile(directory);
}

/** Removes what an interrupted run or a downgrade has left, and the files that an upgrade or downgrade of the format has kept. */
function removeRemains(directory: string): void {
  for (const name of readdirSync(directory)) {
    if (name !== REPLACED && !name.startsWith(`${DATA_FILE}.format-`)) continue;
    const path = join(directory, name);
    // The run was interrupted before the swap: this is a second name of the present data file.
    if (lstatSync(path).ino === statSync(join(directory, DATA_FILE)).ino) rmSync(path);
    else overwrite(path);
  }
  for (const draft of [join(directory, DRAFT), join(directory, NEW_DATA_FILE)]) {
    if (!existsSync(draft)) continue;
    for (const name of readdirSync(draft)) overwrite(join(draft, name));
    rmSync(draft, { recursive: true });
  }
}

function overwrite(path: string): void {
  const file = openSync(path, "r+");
  try {
    const { size } = statSync(path);
    for (let at = 0; at < size; at += ZEROES.length) writeSync(file, ZEROES, 0, Math.min(ZEROES.length, size - at), at);
    // The file is not truncated: a process that reads it, such as a backup, would crash.
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  rmSync(path);
}
