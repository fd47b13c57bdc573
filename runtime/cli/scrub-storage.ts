import { existsSync } from "node:fs";
import { DATA_FILE, hasDataFile } from "../store/embedded/check-data-file.ts";
import type { CommandStreams } from "./command-streams.ts";
import { STORAGE } from "./flags/storage.ts";
import { parseFlags } from "./read-config.ts";
import { UsageError } from "./usage-error.ts";

export const SCRUB_STORAGE_USAGE = `typeplane scrub-storage [--data-dir DIR]

Copies the current objects of the embedded store into a new data file, compares the copy, replaces the old file with it and
overwrites the old file with zeroes. Afterwards no file of the data directory contains deleted objects, old revisions of objects, or
plaintext from before encryption was turned on. Run it after \`typeplane migrate-storage\`, which encrypts objects that are still
stored in plaintext. Stop the server first, and make sure that the disk has space for a second copy of the objects.

SSDs, copy-on-write file systems, snapshots and backups keep old blocks that no program can overwrite. To keep secrets out of them,
turn encryption on before the first start, or encrypt the disk. For etcd use \`etcdctl defrag\` instead.
`;

/** Resolves with the exit status. */
export async function scrubStorageCommand(args: readonly string[], streams: CommandStreams): Promise<number> {
  const { dataDir } = STORAGE.read(parseFlags(args));
  if (dataDir === undefined) throw new UsageError("--data-dir=memory: an in-memory store has no data file");
  if (!existsSync(dataDir)) throw new UsageError(`--data-dir=${dataDir}: there is no such directory`);
  if (!hasDataFile(dataDir)) throw new UsageError(`--data-dir=${dataDir}: the directory has no ${DATA_FILE}`);
  const { scrubDataFile } = await import("../store/embedded/scrub-data-file.ts");
  const { entries, bytesBefore, bytesAfter } = await scrubDataFile(dataDir);
  streams.out(`${entries} keys kept; ${bytesBefore} bytes overwritten, new size ${bytesAfter} bytes\n`);
  return 0;
}
