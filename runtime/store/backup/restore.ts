import { randomBytes } from "node:crypto";
import type { ChangeRange } from "../change-log/read-change-log.ts";
import type { Expiry, LogRecord } from "../embedded/engine.ts";
import { lockEmptyDirectory, NewDataFile } from "../embedded/new-data-file.ts";
import type { OnRecord } from "./back-up.ts";
import { BackupError, type BackupHeader, type BackupItem, readBackup } from "./backup-file.ts";

export interface RestoreOptions {
  /**
   * Restores the state as of this revision instead of the last one. The backup must have the history of that revision, or the change log
   * the changes up to it.
   */
  readonly toRevision?: number;
  /** Directory of the change log that contains the changes after the backup. */
  readonly changeLog?: string;
  /**
   * Raises the store's revision by this number and drops the history, like etcd's `--bump-revision` with `--mark-compacted`. Clients that
   * have seen revisions after the backup must then list again; otherwise they would mistake new changes for revisions that they already
   * know. The store gets a new identity.
   */
  readonly bumpRevision?: number;
  readonly onRecord?: OnRecord;
}

export interface RestoreSummary {
  readonly header: BackupHeader;
  /** Revision of the restored store. */
  readonly revision: number;
  readonly records: number;
}

/**
 * Creates a data directory from a backup and, if given, a change log. The directory must be empty or not exist. Throws a BackupError, and
 * leaves the directory empty, if the backup or the change log is damaged or the change log does not continue the backup.
 */
export async function restore(file: string, directory: string, options: RestoreOptions = {}): Promise<RestoreSummary> {
  const items = readBackup(file);
  const { value: first } = await items.next();
  if (first === undefined || !("header" in first)) throw new BackupError(`${file} has no header`);
  const { header } = first;
  const { changeLog, bumpRevision = 0, onRecord = () => undefined } = options;
  const { toRevision = changeLog === undefined ? header.revision : Number.POSITIVE_INFINITY } = options;
  if ((toRevision > header.revision && changeLog === undefined) || toRevision < header.compactedRevision)
    throw new BackupError(
      `${file} has the revisions ${header.compactedRevision} to ${header.revision}; ${toRevision} is not one of them`,
    );
  const refusal = `${directory} is not empty: restore into a new directory, then start the server with it`;
  const lock = await lockEmptyDirectory(directory, new BackupError(refusal));
  try {
    const identity = bumpRevision > 0 ? randomBytes(32) : Buffer.from(header.identity, "base64");
    const fresh = await NewDataFile.begin(directory, identity);
    try {
      const [expiries, history]: [Expiry[], number[]] = [[], []];
      let [records, revision] = [0, Math.max(1, header.compactedRevision)];
      const { identity: source, revision: after } = header;
      const later =
        changeLog !== undefined && toRevision > after
          ? laterItems(changeLog, { identity: source, after, to: options.toRevision })
          : [];
      for await (const item of checkedChain(items, later)) {
        if ("expiry" in item && item.expiry.revision <= toRevision) expiries.push(item.expiry);
        if (!("record" in item) || item.record.revision > toRevision) continue;
        await fresh.add(item.record);
        history.push(...historyOf(item.record));
        revision = Math.max(revision, item.record.revision);
        records++;
        onRecord();
      }
      revision += bumpRevision;
      if (bumpRevision === 0) await fresh.finish({ compactedRevision: header.compactedRevision, expiries });
      else await fresh.finish({ compactedRevision: revision, expiries, droppedRecords: history });
      return { header, revision, records };
    } catch (error) {
      await fresh.abandon();
      throw error;
    }
  } finally {
    lock.release();
  }
}

/**
 * Yields the items of a backup, then those of a change log. Throws a BackupError if a change of the log does not replace the revision that
 * its key has.
 */
async function* checkedChain(
  items: AsyncIterable<BackupItem>,
  later: AsyncIterable<BackupItem> | Iterable<BackupItem>,
): AsyncGenerator<BackupItem> {
  const revisions = new Map<string, number>();
  const follow = ({ key, type, revision }: LogRecord): void => {
    if (type === "delete") revisions.delete(key);
    else revisions.set(key, revision);
  };
  for await (const item of items) {
    if ("record" in item) follow(item.record);
    yield item;
  }
  for await (const item of later) {
    if ("record" in item) {
      const { key, revision, previousRevision } = item.record;
      if (previousRevision !== (revisions.get(key) ?? 0))
        throw new BackupError(
          `the change log does not continue the backup: revision ${revision} of ${key} replaces ${previousRevision}, but ${revisions.get(key) ?? "nothing"} is there`,
        );
      follow(item.record);
    }
    yield item;
  }
}

async function* laterItems(directory: string, range: ChangeRange): AsyncGenerator<BackupItem> {
  const { readChangeLog } = await import("../change-log/read-change-log.ts");
  for await (const { record, expiresAt } of readChangeLog(directory, range)) {
    yield { record };
    if (expiresAt > 0) yield { expiry: { time: expiresAt, revision: record.revision, key: record.key } };
  }
}

/** Revisions of the records that become history with this record: only reads of the past need them. */
function historyOf({ type, revision, previousRevision }: LogRecord): number[] {
  return [...(previousRevision > 0 ? [previousRevision] : []), ...(type === "delete" ? [revision] : [])];
}
