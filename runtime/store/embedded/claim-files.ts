import { chownSync, closeSync, openSync, statSync } from "node:fs";
import { join } from "node:path";
import { claimFile, isForeign, PRIVATE_FILE, UnsafeFileError } from "../../lib/private-files.ts";
import { notWritable, StoreError } from "../errors.ts";
import { DATA_FILE, LMDB_LOCK_FILE } from "./check-data-file.ts";

/** Creates LMDB's files with mode 0600. LMDB would make them readable by all users, but opens existing files whatever their mode. */
export function claimFiles(directory: string): void {
  try {
    for (const name of [DATA_FILE, LMDB_LOCK_FILE]) claimFile(join(directory, name));
  } catch (error) {
    throw error instanceof UnsafeFileError ? unsafe(error) : notWritable(directory, error);
  }
}

/**
 * Creates LMDB's lock file, if there is none, as the server would: in private mode, and owned by the owner of the data file. A lock file
 * that LMDB creates is readable by all users, and one that root owns would keep the server of another user from starting. Does nothing if
 * the file cannot be created, as on a read-only file system, where LMDB needs none.
 */
export function claimReaderFile(directory: string): void {
  const path = join(directory, LMDB_LOCK_FILE);
  try {
    closeSync(openSync(path, "wx", PRIVATE_FILE));
    const owner = statSync(join(directory, DATA_FILE));
    if (isForeign(owner)) chownSync(path, owner.uid, owner.gid);
  } catch {
    // The file exists, or cannot be created.
  }
}

/** Translates the error of a file or directory that other users could read or replace. */
export function unsafe(error: UnsafeFileError): StoreError {
  return new StoreError("NotWritable", error.message, { cause: error });
}
