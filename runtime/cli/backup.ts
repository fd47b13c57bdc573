import { systemClock } from "../lib/clock.ts";
import { SlowProgress } from "../lib/slow-progress.ts";
import { type CommandFlag, type CommandValues, describeCommandFlags, readCommandFlags } from "./command-flags.ts";
import type { CommandStreams } from "./command-streams.ts";
import { UsageError } from "./usage-error.ts";

const DATA_DIR: CommandFlag = {
  name: "data-dir",
  type: "text",
  help: "Directory of the embedded store. Defaults to .typeplane/data.",
};

const BACKUP_FLAGS: readonly CommandFlag[] = [
  DATA_DIR,
  { name: "to", type: "text", help: "File to write. It must not exist." },
];

const RESTORE_FLAGS: readonly CommandFlag[] = [
  { name: "from", type: "text", help: "Backup to read." },
  { name: "data-dir", type: "text", help: "Directory to create. It must not exist, or must be empty." },
  {
    name: "change-log",
    type: "text",
    help: "Directory of the change log (--change-log-dir of serve): also restore the changes after the backup.",
  },
  {
    name: "to-revision",
    type: "text",
    help: "Restore the state as of this revision. The history in the backup or the change log must include it.",
  },
  {
    name: "bump-revision",
    type: "text",
    help: "Increase the revision by this number and drop the history (see above).",
  },
];

export const BACKUP_USAGE = `typeplane backup [--data-dir DIR] --to FILE

Copies the embedded store to a compressed file: all objects as of one revision, and the history that is still kept. The server may be
running; it continues to accept writes. Run the command on the same machine and as the same user. The file is read back and
compared before the command ends. Objects are copied as they are stored: encrypted ones need the same --encryption-provider-config
after a restore. Keep a copy of --cert-dir as well: it contains the keys of the cluster. For etcd use \`etcdctl snapshot save\`.
If the command is killed, only a draft is left, FILE.<uuid>.new, which you may delete.

${describeCommandFlags(BACKUP_FLAGS)}
`;

export const RESTORE_USAGE = `typeplane restore --from FILE --data-dir DIR

Creates a data directory from a backup. The whole backup is checked before the directory is usable; an existing directory is never changed.

By default the new store continues the old one: same objects, revisions and history. Use this if no client has seen a newer state than
the backup, for example after a move to another machine. Otherwise add --bump-revision with more than the number of changes since the
backup, such as 1000000: clients that watched the lost server then list again. Without it they could take new changes for old ones.

With --change-log the new store has all changes in the log, or all changes up to --to-revision, for example the revision before an
accidental deletion. Revisions are the resourceVersions in the audit log or in a watch. Give the restored server another --change-log-dir.

${describeCommandFlags(RESTORE_FLAGS)}
`;

/** Resolves with the exit status. */
export async function backupCommand(args: readonly string[], streams: CommandStreams): Promise<number> {
  const flags = readCommandFlags(args, BACKUP_FLAGS);
  const [directory, file] = [flags.text("data-dir") ?? ".typeplane/data", required(flags, "to")];
  const { backUp } = await import("../store/backup/back-up.ts");
  const progress = progressOf(streams, "records written and checked");
  const { header, records, bytes } = await backUp(directory, file, () => progress.add(1));
  streams.out(`${file}: revision ${header.revision}, ${records} records, ${bytes} bytes, checked\n`);
  return 0;
}

/** Resolves with the exit status. */
export async function restoreCommand(args: readonly string[], streams: CommandStreams): Promise<number> {
  const flags = readCommandFlags(args, RESTORE_FLAGS);
  const [file, directory] = [required(flags, "from"), required(flags, "data-dir")];
  const changeLog = flags.text("change-log");
  const [toRevision, bumpRevision] = [whole(flags, "to-revision"), whole(flags, "bump-revision")];
  const { restore } = await import("../store/backup/restore.ts");
  const progress = progressOf(streams, "records restored");
  const { header, revision, records } = await restore(file, directory, {
    onRecord: () => progress.add(1),
    ...(changeLog !== undefined && { changeLog }),
    ...(toRevision !== undefined && { toRevision }),
    ...(bumpRevision !== undefined && { bumpRevision }),
  });
  streams.out(`${directory}: ${records} records of ${header.created} restored, revision ${revision}\n`);
  return 0;
}

function required(flags: CommandValues, name: string): string {
  const value = flags.text(name);
  if (value === undefined || value === "") throw new UsageError(`--${name} is required`);
  return value;
}

function whole(flags: CommandValues, name: string): number | undefined {
  const text = flags.text(name);
  if (text === undefined) return undefined;
  if (!/^\d{1,15}$/.test(text)) throw new UsageError(`--${name}=${text}: write a whole number`);
  return Number(text);
}

function progressOf(streams: CommandStreams, what: string): SlowProgress {
  return new SlowProgress(systemClock, ({ count, milliseconds }) =>
    streams.err(`${count} ${what} … (${(milliseconds / 1000).toFixed(1)} s)\n`),
  );
}
