import { chmodSync, readdirSync, statSync } from "node:fs";
import { makeDirectory } from "./make-directory.ts";
import { isForeign, ownerText, PRIVATE_DIRECTORY, refusePlanted, UnsafeFileError } from "./private-files.ts";

const ROOT = 0;
const OTHERS = 0o077;
const WRITABLE_BY_ALL = 0o002;

/**
 * Makes a directory for secrets, mode 0700 whatever the umask, or takes the one that is there. One that other users can open is
 * tightened where it holds nothing but files of this server (`isOurs`); where it holds other files too, it keeps its mode, for other
 * programs may need it. Throws an UnsafeFileError for one that belongs to another user; root's is taken, as in a container's volume.
 */
export function claimDirectory(directory: string, isOurs: (name: string) => boolean): void {
  refusePlanted(directory);
  makeDirectory(directory);
  const stats = statSync(directory);
  if (isForeign(stats) && stats.uid !== ROOT) throw new UnsafeFileError(`${directory} ${ownerText(stats)}`);
  if ((stats.mode & OTHERS) === 0 || isForeign(stats) || !readdirSync(directory).every(isOurs)) return;
  try {
    chmodSync(directory, PRIVATE_DIRECTORY);
  } catch (error) {
    // Whoever mounted it so that it cannot be written chose its mode.
    if ((error as NodeJS.ErrnoException).code !== "EROFS") throw error;
  }
}

/** Why a directory is not safe from other users of the machine, for the log; undefined if it is. */
export function sharedDirectoryWarning(directory: string): string | undefined {
  const stats = statSync(directory, { throwIfNoEntry: false });
  if (stats === undefined || (stats.mode & WRITABLE_BY_ALL) === 0) return undefined;
  const mode = (stats.mode & 0o7777).toString(8).padStart(4, "0");
  return `${directory} has mode ${mode}: every user of this machine can replace files in it; use a private directory`;
}
