import { randomUUID } from "node:crypto";
import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, resolve } from "node:path";

/** Mode of every file the server writes. */
export const PRIVATE_FILE = 0o600;
/** Mode of every directory that the server creates. */
const PRIVATE_DIRECTORY = 0o700;

const OTHERS = 0o077;
const WRITABLE_BY_ALL = 0o002;
const READABLE_BY_ALL = 0o004;
const ROOT = 0;

/** A file or directory that is not safe for secrets. The message says how to correct it. */
export class UnsafeFileError extends Error {
  readonly code = "UnsafeFile";
}

/** Returns the content of a file, or undefined if it does not exist. */
export function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * Writes a file that only its owner may read, atomically: a reader sees either the old or the new content. A symbolic link of that name is
 * replaced, not followed, and the temporary file is always a new one.
 */
export function writePrivately(path: string, contents: string): void {
  const temporary = `${path}.${randomUUID()}.new`;
  try {
    writeFileSync(temporary, contents, { mode: PRIVATE_FILE, flag: "wx" });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/**
 * Creates an empty file with mode 0600, whatever the umask, or restricts the mode of an existing one. Throws an UnsafeFileError for a file of
 * another user.
 */
export function claimFile(path: string): void {
  tightenFile(path, constants.O_RDWR | constants.O_CREAT);
}

/** Restricts the mode of a file with a secret, if it exists. Throws an UnsafeFileError for a file of another user. */
export function tightenIfPresent(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  // A link in a directory that only its owner can write to, such as a mounted Secret, was created by that owner.
  if (found === undefined || (found.isSymbolicLink() && !isInSharedDirectory(path))) return;
  if ((found.mode & OTHERS) !== 0 || !found.isFile() || isForeign(found)) tightenFile(path, constants.O_RDONLY);
}

/** Returns a warning if other users of the machine can read a file with secrets that this server did not write, otherwise undefined. */
export function readableByOthers(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined || (stats.mode & READABLE_BY_ALL) === 0) return undefined;
  return `${path} has mode ${(stats.mode & 0o7777).toString(8).padStart(4, "0")}, readable by every user of this machine`;
}

/** Throws an UnsafeFileError for a symbolic link, or a file of another user, in a directory in which every user can create files. */
export function refusePlanted(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined || !(found.isSymbolicLink() || isForeign(found)) || !isInSharedDirectory(path)) return;
  const what = found.isSymbolicLink() ? "is a symbolic link" : "belongs to another user";
  throw new UnsafeFileError(`${path} ${what}, in a directory that every user can write: remove it, or name another`);
}

function tightenFile(path: string, flags: number): void {
  const file = openUnlinked(path, flags);
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw new UnsafeFileError(`${path} is not a regular file`);
    if (isForeign(stats)) throw new UnsafeFileError(`${path} ${ownerText(stats)}`);
    const wanted = flags & constants.O_CREAT ? PRIVATE_FILE : stats.mode & 0o700;
    if ((stats.mode & 0o777) !== wanted) changeMode(file, wanted);
  } finally {
    closeSync(file);
  }
}

/** Changes the mode of a file. On a read-only file system, the file keeps the mode of the mount. */
function changeMode(file: number, mode: number): void {
  try {
    fchmodSync(file, mode);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EROFS") throw error;
  }
}

function openUnlinked(path: string, flags: number): number {
  try {
    return openSync(path, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, PRIVATE_FILE);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ELOOP") throw new UnsafeFileError(`${path} is a symbolic link: put the file itself there`);
    if (code === "EACCES") {
      const found = lstatSync(path, { throwIfNoEntry: false });
      if (found !== undefined && isForeign(found)) throw new UnsafeFileError(`${path} ${ownerText(found)}`);
    }
    throw error;
  }
}

/** Whether a file belongs to another user than that of this process. Always false if the system has no users. */
export function isForeign({ uid }: Pick<Stats, "uid">): boolean {
  const me = process.geteuid?.();
  return me !== undefined && uid !== me;
}

/** Returns `belongs to user 1000, and this process runs as user 0: …`. */
function ownerText({ uid }: Pick<Stats, "uid">): string {
  return `belongs to user ${uid}, and this process runs as user ${process.geteuid?.()}: run it as that user, or change the owner`;
}

function isInSharedDirectory(path: string): boolean {
  return (statSync(dirname(path)).mode & WRITABLE_BY_ALL) !== 0;
}

/**
 * Creates a directory that only its owner can read, and its parents. Node's own recursive option never returns if the system cannot create
 * directories. Throws the error of the system, and `ENOTDIR` if something else has that name.
 */
export function makeDirectory(directory: string): void {
  make(resolve(directory));
}

function make(directory: string): void {
  if (existsSync(directory)) {
    if (!statSync(directory).isDirectory()) throw notADirectory(directory);
    return;
  }
  make(dirname(directory));
  mkdirSync(directory, { mode: PRIVATE_DIRECTORY });
  // The umask may have removed rights of the owner, and a parent's setgid bit or ACL may have added some.
  chmodSync(directory, PRIVATE_DIRECTORY);
}

function notADirectory(path: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`ENOTDIR: not a directory, mkdir '${path}'`), { code: "ENOTDIR", path });
}

/**
 * Creates a directory for secrets with mode 0700, whatever the umask, or takes an existing one. If other users can open an existing one, its
 * mode is restricted if it contains only files of this server (`isOurs`); otherwise the mode is kept, because other programs may need it.
 * Throws an UnsafeFileError if it belongs to another user. A directory of root is accepted, as in a container's volume.
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
    // On a read-only file system, the mount determines the mode.
    if ((error as NodeJS.ErrnoException).code !== "EROFS") throw error;
  }
}

/** Returns a warning if other users of the machine can write to a directory, otherwise undefined. */
export function sharedDirectoryWarning(directory: string): string | undefined {
  const stats = statSync(directory, { throwIfNoEntry: false });
  if (stats === undefined || (stats.mode & WRITABLE_BY_ALL) === 0) return undefined;
  const mode = (stats.mode & 0o7777).toString(8).padStart(4, "0");
  return `${directory} has mode ${mode}: every user of this machine can replace files in it; use a private directory`;
}
