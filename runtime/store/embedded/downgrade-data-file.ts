import { rmSync } from "node:fs";
import { StoreError } from "../errors.ts";
import { DATA_FILE, hasDataFile } from "./check-data-file.ts";
import { claimFiles } from "./claim-files.ts";
import { DataFileView } from "./data-file-view.ts";
import { FORMAT } from "./data-format.ts";
import { lockDirectory } from "./directory-lock.ts";
import type { LogRecord } from "./engine.ts";
import { Format1File } from "./format-1.ts";
import { sizeBound } from "./log-record.ts";
import { keepDataFile, newDraft, replaceDataFile } from "./new-data-file.ts";

const BATCH_BYTES = 4 * 1024 * 1024;

export interface Downgraded {
  readonly from: number;
  readonly to: number;
  readonly revision: number;
  readonly records: number;
}

/**
 * Rewrites the data file of a directory in the previous format, with all objects, revisions and history, for the version of this program
 * that reads that format. Keeps the present file as `data.mdb.format-<n>`. Throws Locked while a server uses the directory, UnknownFormat,
 * and Corrupt. An interrupted run leaves the present file in place.
 */
export async function downgradeDataFile(directory: string): Promise<Downgraded> {
  if (!hasDataFile(directory))
    throw new StoreError("Corrupt", `there is no ${DATA_FILE} in the directory ${directory}`);
  claimFiles(directory);
  const lock = await lockDirectory(directory);
  try {
    const view = await DataFileView.open(directory);
    const draft = newDraft(directory);
    const older = new Format1File(draft);
    let records = 0;
    try {
      records = await copyRecords(view, older);
      await older.finish(view, view.expiries());
      checkCopy(view, older);
    } catch (error) {
      await older.close();
      rmSync(draft, { recursive: true, force: true });
      throw error;
    } finally {
      await view.close();
    }
    await older.close();
    keepDataFile(directory, FORMAT);
    replaceDataFile(directory);
    return { from: FORMAT, to: FORMAT - 1, revision: view.revision, records };
  } finally {
    lock.release();
  }
}

async function copyRecords(view: DataFileView, older: Format1File): Promise<number> {
  let [batch, bytes, records]: [LogRecord[], number, number] = [[], 0, 0];
  for (const record of view.records()) {
    batch.push({ ...record, value: Buffer.from(record.value) });
    bytes += sizeBound(record);
    records++;
    if (bytes < BATCH_BYTES) continue;
    await older.addRecords(batch);
    [batch, bytes] = [[], 0];
  }
  await older.addRecords(batch);
  return records;
}

/** Reads the copy back. Throws if it differs from the data file. */
function checkCopy(view: DataFileView, older: Format1File): void {
  const copies = older.records()[Symbol.iterator]();
  for (const { revision, key, value } of view.records()) {
    const { value: copy, done } = copies.next();
    if (done || copy.revision !== revision || copy.key !== key || !Buffer.from(value).equals(copy.value))
      throw new Error(`the copy differs from the data file at revision ${revision}`);
  }
}
