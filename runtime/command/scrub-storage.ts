import { existsSync } from "node:fs";
import { join } from "node:path";
import { DATA_FILE } from "../store/embedded/check-data-file.ts";
import type { CommandStreams } from "./command-streams.ts";
import { parseFlags, UsageError } from "./parse-flags.ts";

export const SCRUB_STORAGE_USAGE = `typeplane scrub-storage [--data-dir DIR]

Writes the data file of the embedded store anew with nothing in it but the present objects, checks the copy, puts it in the place of
the old file, and overwrites that one with zeroes. Deleted objects, older versions of objects, and plaintext from before encryption
was turned on are then in no file of the data directory any more. Run it after \`typeplane migrate-storage\`, which encrypts what is
still stored in plaintext. The directory must not be in use, and the disk must have room for a second copy of the objects.

SSDs, copy-on-write file systems, snapshots and backups keep old blocks that no program can overwrite: keep secrets away from them
from the start by turning encryption on before the first start, or encrypt the disk. etcd keeps its own files: see \`etcdctl defrag\`.
`;

/** Resolves with the exit status. */
export async function scrubStorageCommand(args: readonly string[], streams: CommandStreams): Promise<number> {
  const dataDir = parseFlags(args).string("data-dir") ?? "memory";
  if (dataDir === "memory") throw new UsageError("--data-dir=memory: there is nothing on disk to scrub");
  if (!existsSync(dataDir)) throw new UsageError(`--data-dir=${dataDir}: there is no such directory`);
  if (!existsSync(join(dataDir, DATA_FILE)))
    throw new UsageError(`--data-dir=${dataDir}: the directory has no ${DATA_FILE}`);
  const { scrubDataFile } = await import("../store/embedded/scrub-data-file.ts");
  const { entries, bytesBefore, bytesAfter } = await scrubDataFile(dataDir);
  streams.out(`${entries} entries kept; ${bytesBefore} bytes overwritten, ${bytesAfter} bytes in use now\n`);
  return 0;
}
