import { stat } from "node:fs/promises";
import { DataFileView } from "../embedded/data-file-view.ts";
import { BackupError, type BackupHeader, type BackupItem, readBackup, writeBackup } from "./backup-file.ts";

/** Called for each record that is written or read. */
export type OnRecord = () => void;

export interface BackupSummary {
  readonly header: BackupHeader;
  readonly records: number;
  readonly bytes: number;
}

/**
 * Copies the embedded store in a directory to a backup file as of one revision, then reads the file back. A server may use the directory
 * meanwhile. Throws a BackupError if the backup file already exists or reads back differently, and the errors of `DataFileView.open`.
 */
export async function backUp(
  directory: string,
  file: string,
  onRecord: OnRecord = () => undefined,
): Promise<BackupSummary> {
  const view = await DataFileView.open(directory);
  const written = { records: 0 };
  try {
    const header = {
      identity: Buffer.from(view.identity).toString("base64"),
      revision: view.revision,
      compactedRevision: view.compactedRevision,
      created: new Date().toISOString(),
    };
    await writeBackup(file, itemsOf(view, header, written, onRecord));
  } finally {
    await view.close();
  }
  const read = await checkBackup(file, onRecord);
  if (read.records !== written.records)
    throw new BackupError(`${file} has ${read.records} records where ${written.records} were written`);
  return read;
}

function* itemsOf(
  view: DataFileView,
  header: BackupHeader,
  written: { records: number },
  onRecord: OnRecord,
): Iterable<BackupItem> {
  yield { header };
  for (const record of view.records()) {
    written.records++;
    onRecord();
    yield { record };
  }
  for (const expiry of view.expiries()) yield { expiry };
  view.checkInPlace();
}

/** Reads a backup file to its end. Throws a BackupError if it is damaged. */
export async function checkBackup(file: string, onRecord: OnRecord = () => undefined): Promise<BackupSummary> {
  let header: BackupHeader | undefined;
  let records = 0;
  for await (const item of readBackup(file)) {
    if ("header" in item) header = item.header;
    if (!("record" in item)) continue;
    records++;
    onRecord();
  }
  if (header === undefined) throw new BackupError(`${file} has no header`);
  return { header, records, bytes: (await stat(file)).size };
}
