import { readFile } from "node:fs/promises";
import { BackupError } from "../backup/backup-file.ts";
import { decodeSegment, type LoggedChange, MAX_HEADER_BYTES } from "./change-frames.ts";
import { listSegments } from "./segment-files.ts";

/** The range of changes to read. */
export interface ChangeRange {
  /** Identity of the data, base64. */
  readonly identity: string;
  /** Changes after this revision are read. */
  readonly after: number;
  /** The last revision; undefined reads to the end of the log. */
  readonly to: number | undefined;
}

/**
 * Yields the changes of a change log between two revisions, in order. A server may be writing to the log. Throws a BackupError if the log
 * belongs to other data, has a gap, is damaged within the range, or ends before the last revision.
 */
export async function* readChangeLog(
  directory: string,
  { identity, after, to }: ChangeRange,
): AsyncGenerator<LoggedChange> {
  const segments = listSegments(directory);
  let reached = after;
  for (const [index, { path, after: before }] of segments.entries()) {
    const next = segments[index + 1];
    // The next file begins at or before the requested range: nothing in this file is needed.
    if (next !== undefined && next.after <= reached) continue;
    if (to !== undefined && reached >= to) return;
    if (before > reached)
      throw new BackupError(
        `${directory} lacks the changes between the revisions ${reached} and ${before}: use a backup of revision ${before} or later`,
      );
    const bytes = await readFile(path);
    const segment = decodeSegment(bytes);
    // The newest file may have been created just now, or may end in an append that is in progress or was interrupted.
    if (segment === undefined && next === undefined && bytes.length <= MAX_HEADER_BYTES) break;
    if (segment === undefined) throw new BackupError(`${path} is damaged: it has no header`);
    if (segment.header.identity !== identity)
      throw new BackupError(`${path} is the change log of other data than the backup`);
    for (const change of segment.changes) {
      if (to !== undefined && change.record.revision > to) return;
      if (change.record.revision <= reached) continue;
      reached = change.record.revision;
      yield change;
      if (reached === to) return;
    }
    if (segment.goesOn || (next !== undefined && !segment.isWhole))
      throw new BackupError(
        `${path} is damaged after the change of revision ${reached}: --to-revision=${reached} restores the state of before`,
      );
  }
  if (to !== undefined && reached < to)
    throw new BackupError(`the change log in ${directory} ends at revision ${reached}; ${to} is not in it`);
}
